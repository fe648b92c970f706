Field: TypeAlias = Float32[Array, "nx"]
Sizes: TypeAlias = tuple[int, ...]
Scale: TypeAlias = float | int


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(_Plate):

    u: Field  # dynamic
    sizes: Sizes  # static
    scale: Scale  # static

    def __new__(cls, u: ArrayLike, sizes: Sizes, *, scale: Scale = 1) -> Self:
        record = cls.__codegen_record__
        if type(u) in CONVERTED or is_weak(u):
            u = as_array(u, "float32", cls, "u")
        key = record.key(cls, (sizes, scale))
        return record.unflatten(key, (u,))

    @classmethod
    def abstract(cls, *, sizes: Sizes, scale: Scale = 1, nx: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return make_abstract(cls, sizes=sizes, scale=scale, nx=nx)


def _codegen_key_Plate(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    sizes, scale = values
    sizes, sizes_tag = cls.__codegen_record__.meta_fields["sizes"].static(
        sizes, cls, "sizes"
    )
    scale, scale_tag = cls.__codegen_record__.meta_fields["scale"].static(
        scale, cls, "scale"
    )
    return intern_key(cls, (sizes_tag, scale_tag), (sizes, scale))


register_dataclass(
    Plate,
    schema="schema.Plate",
    data_fields={"u": dynamic(array("float32", "nx"))},
    meta_fields={"sizes": tuple_of(int, ...), "scale": union(float, int)},
    key=_codegen_key_Plate,
    flatten=_codegen_flatten_Plate,
    unflatten=_codegen_unflatten_Plate,
)
