@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Marker(_rt.Pytree):
    """Marker.

    Examples:
        jax.jit(f)(obj)  # a pytree: its arrays are leaves
    """

    __slots__ = ()

    def __new__(cls) -> Self:
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, ())


def _codegen_unflatten_Marker(
    key: _rt.TraceKey, children: Any, new: Any = _rt.unfrozen(Marker)
) -> Any:
    obj = new()
    obj.__codegen_key__ = key
    obj.__class__ = key.cls  # From here on it is frozen.
    return obj


_rt.register_dataclass(
    Marker,
    schema="schema.Marker",
    unflatten=_codegen_unflatten_Marker,
)
