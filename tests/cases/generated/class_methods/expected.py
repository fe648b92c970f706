use_running_script("model")


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Scale(_Scale):

    def __call__(self, x: Float32[Array, ""]) -> Float32[Array, ""]:
        from model import call as impl

        # `def __call__` of `Scale` in schema.pyi declares this call.
        return impl(self, x=x)

    @classmethod
    def unit(cls) -> Scale:
        from model import Scale as impl

        # `def unit` of `Scale` in schema.pyi declares this call.
        return impl.unit(cls)

    @staticmethod
    def celsius(cls: float) -> float:
        from model import celsius as impl

        # `def celsius` of `Scale` in schema.pyi declares this call.
        return impl(cls=cls)
