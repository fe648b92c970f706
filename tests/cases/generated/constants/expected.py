@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Gas(_Gas):

    R: ClassVar[float] = 8.314

    heats: np.ndarray[Any, np.dtype[np.float32]]

    def __new__(cls, heats: np.ndarray[Any, np.dtype[np.float32]]) -> Self:
        record = cls.__codegen_record__
        key = record.key(cls, (heats,))
        return record.unflatten(key, ())


def _codegen_key_Gas(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    (heats,) = values
    heats = as_constant(heats, "float32", cls, "heats")
    return intern_key(cls, (constant_tag(heats),), (heats,))


register_dataclass(
    Gas,
    schema="schema.Gas",
    data_fields={},
    meta_fields={"heats": array("float32", 3)},
    key=_codegen_key_Gas,
    unflatten=_codegen_unflatten_Gas,
)
