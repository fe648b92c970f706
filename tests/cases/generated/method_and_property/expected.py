use_running_script("model")


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(_Plate):

    @classmethod
    def abstract(cls) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return make_abstract(cls)

    @property
    def heat(self) -> Float32[Array, ""]:
        from model import heat as impl

        # `def heat` of `Plate` in schema.pyi declares this call.
        return impl(self)

    def at(self, i: int) -> Float32[Array, ""]:
        from model import at as impl

        # `def at` of `Plate` in schema.pyi declares this call.
        return impl(self, i=i)
