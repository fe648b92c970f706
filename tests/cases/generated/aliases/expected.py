Field: TypeAlias = Float32[Array, "nx"]
Sizes: TypeAlias = tuple[int, ...]
Scale: TypeAlias = float | int


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(_rt.ShapedPytree):

    u: Field  # dynamic
    sizes: Sizes  # static
    scale: Scale  # static

    def __new__(cls, u: ArrayLike, sizes: Sizes, *, scale: Scale = 1) -> Self:
        u = _rt.as_array(u, "float32", cls, "u")
        sizes, sizes_tag = _rt.as_declared_static(sizes, cls, "sizes")
        scale, scale_tag = _rt.as_declared_static(scale, cls, "scale")
        values = (sizes, scale)
        tags = (sizes_tag, scale_tag)
        key = _rt.trace_key(cls, values, tags)
        return cls.__codegen_record__.unflatten(key, (u,))

    @classmethod
    def abstract(cls, *, sizes: Sizes, scale: Scale = 1, nx: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls, sizes=sizes, scale=scale, nx=nx)
