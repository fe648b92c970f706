@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Solver(_Solver):

    source: Callable[[Float32[Array, ""]], Float32[Array, ""]]

    def __new__(
        cls, source: Callable[[Float32[Array, ""]], Float32[Array, ""]]
    ) -> Self:
        record = cls.__codegen_record__
        key = record.key(cls, (source,))
        return record.unflatten(key, ())


def _codegen_key_Solver(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    (source,) = values
    source = as_callable(source, cls, "source")
    return intern_key(cls, (id(source),), (source,))


register_dataclass(
    Solver,
    schema="schema.Solver",
    data_fields={},
    meta_fields={"source": function},
    key=_codegen_key_Solver,
    unflatten=_codegen_unflatten_Solver,
)
