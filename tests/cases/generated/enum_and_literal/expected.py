class Scheme(enum.Enum):
    """Scheme."""

    EXPLICIT = "explicit"


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Solver(_Solver):

    scheme: Scheme
    boundary: Literal["open", "closed"]

    def __new__(
        cls, *, scheme: Scheme = Scheme.EXPLICIT, boundary: Literal["open", "closed"]
    ) -> Self:
        record = cls.__codegen_record__
        key = record.key(cls, (scheme, boundary))
        return record.unflatten(key, ())


def _codegen_key_Solver(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    scheme, boundary = values
    if type(scheme) is not Scheme:
        scheme = as_enum(scheme, Scheme, cls, "scheme")
    boundary = as_literal(boundary, ("open", "closed"), cls, "boundary")
    return intern_key(cls, (scheme, boundary), (scheme, boundary))


register_dataclass(
    Solver,
    schema="schema.Solver",
    data_fields={},
    meta_fields={"scheme": Scheme, "boundary": literal("open", "closed")},
    key=_codegen_key_Solver,
    unflatten=_codegen_unflatten_Solver,
)
