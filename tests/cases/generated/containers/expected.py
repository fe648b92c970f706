@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Layers(_Layers):

    sizes: tuple[int, ...]  # static
    names: frozendict[str, int]  # static
    weights: dict[str, Float32[Array, "..."]]  # dynamic

    def __new__(
        cls,
        sizes: tuple[int, ...],
        names: frozendict[str, int],
        weights: dict[str, Float32[Array, "..."]],
    ) -> Self:
        record = cls.__codegen_record__
        weights = record.data_fields["weights"].dynamic(weights, cls, "weights")
        key = record.key(cls, (sizes, names))
        return record.unflatten(key, (weights,))


def _codegen_key_Layers(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    sizes, names = values
    sizes, sizes_tag = cls.__codegen_record__.meta_fields["sizes"].static(
        sizes, cls, "sizes"
    )
    names, names_tag = cls.__codegen_record__.meta_fields["names"].static(
        names, cls, "names"
    )
    return intern_key(cls, (sizes_tag, names_tag), (sizes, names))


register_dataclass(
    Layers,
    schema="schema.Layers",
    data_fields={"weights": dynamic(dict_of(str, array("float32", "...")))},
    meta_fields={"sizes": tuple_of(int, ...), "names": frozendict_of(str, int)},
    key=_codegen_key_Layers,
    flatten=_codegen_flatten_Layers,
    unflatten=_codegen_unflatten_Layers,
)
