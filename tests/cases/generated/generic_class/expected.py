T = TypeVar("T")


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Box(_rt.Pytree, Generic[T]):
    """Box.

    Examples:
        jax.jit(f)(obj)  # a pytree: its arrays are leaves
    """

    __slots__ = ("held",)

    held: T  # dynamic

    def __new__(cls, held: T) -> Self:
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (held,))

    def replace(self, *, held: T | _rt.Keep = _rt.KEEP) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)(self.held if held is keep else held)


def _codegen_flatten_Box(obj: Box[Any]) -> tuple[tuple[Any, ...], _rt.TraceKey]:
    return (obj.held,), obj.__codegen_key__


_rt.register_dataclass(
    Box,
    schema="schema.Box",
    data_fields={"held": _rt.dynamic(_rt.parameter("T"))},
    flatten=_codegen_flatten_Box,
    unflatten=_codegen_unflatten_Box,
    type_parameters=("T",),
)


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Shelf(_rt.ShapedPytree):

    box: Box[Float32[Array, ""]]  # dynamic

    def __new__(cls, box: Box[Float32[Array, ""]]) -> Self:
        if type(box) is not Box:
            box = _rt.as_part(box, Box, cls, "box")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (box,))


_rt.register_dataclass(
    Shelf,
    schema="schema.Shelf",
    data_fields={"box": _rt.dynamic(_rt.part(Box, types={"T": _rt.array("float32")}))},
    flatten=_codegen_flatten_Shelf,
    unflatten=_codegen_unflatten_Shelf,
)
