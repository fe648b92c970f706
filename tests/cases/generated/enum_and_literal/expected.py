class Scheme(enum.Enum):
    """Scheme."""

    EXPLICIT = "explicit"


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Solver(_rt.Static):

    scheme: Scheme
    boundary: Literal["open", "closed"]

    def __new__(
        cls, *, scheme: Scheme = Scheme.EXPLICIT, boundary: Literal["open", "closed"]
    ) -> Self:
        if type(scheme) is not Scheme:
            scheme = _rt.as_enum(scheme, Scheme, cls, "scheme")
        boundary = _rt.as_literal(boundary, ("open", "closed"), cls, "boundary")
        values = (scheme, boundary)
        return _rt.intern(cls, values, values)
