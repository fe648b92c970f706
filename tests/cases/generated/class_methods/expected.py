@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Scale(_rt.Static):

    def __call__(self, x: Float32[Array, ""]) -> Float32[Array, ""]:
        from model import call as impl

        return impl(self, x=x)

    @classmethod
    def unit(cls) -> Scale:
        from model import Scale as impl

        return impl.unit(cls)

    @staticmethod
    def celsius(cls: float) -> float:
        from model import celsius as impl

        return impl(cls=cls)
