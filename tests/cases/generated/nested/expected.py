@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Network(_rt.ShapedPytree):
    """Network.

    Examples:
        jax.jit(f)(obj)  # a pytree: its arrays are leaves
    """

    __slots__ = ("first", "rest")

    first: Layer  # donated
    rest: tuple[Layer, ...]  # dynamic

    def __new__(cls, first: Layer, *, rest: tuple[Layer, ...] = ()) -> Self:
        if type(first) is not Layer:
            first = _rt.as_part(first, Layer, cls, "first")
        rest = _rt.as_declared(rest, cls, "rest")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (first, rest))

    def replace(
        self,
        *,
        first: Layer | _rt.Keep = _rt.KEEP,
        rest: tuple[Layer, ...] | _rt.Keep = _rt.KEEP,
    ) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)(
            self.first if first is keep else first,
            rest=self.rest if rest is keep else rest,
        )

    @classmethod
    def abstract(cls, *, n: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls, n=n)


_rt.register_dataclass(
    Network,
    schema="schema.Network",
    data_fields={
        "first": _rt.donated(_rt.part(Layer)),
        "rest": _rt.dynamic(_rt.tuple_of(Layer, ...)),
    },
    flatten=_codegen_flatten_Network,
    unflatten=_codegen_unflatten_Network,
)
