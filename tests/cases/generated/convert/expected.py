use_running_script("model")


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Grid(_Grid):

    sizes: tuple[int, ...]

    def __new__(cls, sizes: Any) -> Self:
        record = cls.__codegen_record__
        if isinstance(sizes, Converted):
            sizes = sizes.value
        else:
            from model import as_sizes as convert_sizes

            converted_sizes: tuple[int, ...] = convert_sizes(sizes)
            sizes = converted_sizes
        key = record.key(cls, (sizes,))
        return record.unflatten(key, ())

    def replace(self, *, sizes: Any | Keep = KEEP) -> Self:
        """Return a copy with these fields replaced."""
        return type(self)(Converted(self.sizes) if sizes is KEEP else sizes)


def _codegen_key_Grid(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    (sizes,) = values
    sizes, sizes_tag = cls.__codegen_record__.meta_fields["sizes"].static(
        sizes, cls, "sizes"
    )
    return intern_key(cls, (sizes_tag,), (sizes,))


register_dataclass(
    Grid,
    schema="schema.Grid",
    data_fields={},
    meta_fields={"sizes": tuple_of(int, ...)},
    key=_codegen_key_Grid,
    unflatten=_codegen_unflatten_Grid,
    converted={"sizes": "model:as_sizes"},
)
