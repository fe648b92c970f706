@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Source(_Source):

    name: int | str  # static
    rate: Float32[Array, "..."] | None  # dynamic

    def __new__(cls, name: int | str, *, rate: ArrayLike | None = None) -> Self:
        record = cls.__codegen_record__
        if rate is not None and (type(rate) in CONVERTED or is_weak(rate)):
            rate = as_array(rate, "float32", cls, "rate")
        key = record.key(cls, (name,))
        return record.unflatten(key, (rate,))

    def replace(
        self, *, name: int | str | Keep = KEEP, rate: ArrayLike | None | Keep = KEEP
    ) -> Self:
        """Return a copy with these fields replaced."""
        return type(self)(
            self.name if name is KEEP else name,
            rate=self.rate if rate is KEEP else rate,
        )


def _codegen_key_Source(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    (name,) = values
    name, name_tag = cls.__codegen_record__.meta_fields["name"].static(
        name, cls, "name"
    )
    return intern_key(cls, (name_tag,), (name,))


register_dataclass(
    Source,
    schema="schema.Source",
    data_fields={"rate": dynamic(optional(array("float32", "...")))},
    meta_fields={"name": union(int, str)},
    key=_codegen_key_Source,
    flatten=_codegen_flatten_Source,
    unflatten=_codegen_unflatten_Source,
)
