@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(_rt.ShapedPytree):

    @classmethod
    def abstract(cls) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls)

    @property
    def heat(self) -> Float32[Array, ""]:
        from model import heat as impl

        return impl(self)

    def at(self, i: int) -> Float32[Array, ""]:
        from model import at as impl

        return impl(self, i=i)
