@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Stretched(_rt.ShapedPytree, Grid):
    """Stretched.

    Examples:
        jax.jit(f)(obj)  # a pytree: its arrays are leaves
    """

    __slots__ = ("ratio",)

    ratio: Float32[Array, ""]  # dynamic

    def __new__(cls, nx: int, *, ratio: ArrayLike = 1.0) -> Self:
        ratio = _rt.as_array(ratio, "float32", cls, "ratio")
        if type(nx) is not int:
            nx = _rt.as_int(nx, cls, "nx")
        values = (nx,)
        key = _rt.trace_key(cls, values, values)
        return cls.__codegen_record__.unflatten(key, (ratio,))

    def __eq__(self, other: object) -> bool:
        # Static values are compared by the keys; arrays by dtype, shape and content.
        if type(other) is not type(self):
            return NotImplemented
        return _rt.same_tree(self, other)

    def __hash__(self) -> int:
        raise _rt.unhashable(self)

    def replace(
        self, *, nx: int | _rt.Keep = _rt.KEEP, ratio: ArrayLike | _rt.Keep = _rt.KEEP
    ) -> Self:
        """Return a copy with these fields replaced."""
        keep = _rt.KEEP
        return type(self)(
            self.nx if nx is keep else nx, ratio=self.ratio if ratio is keep else ratio
        )

    @classmethod
    def abstract(cls, *, nx: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return _rt.make_abstract(cls, nx=nx)


def _codegen_flatten_Stretched(obj: Stretched) -> tuple[tuple[Any, ...], _rt.TraceKey]:
    return (obj.ratio,), obj.__codegen_key__


_rt.register_dataclass(
    Stretched,
    schema="schema.Stretched",
    data_fields={"ratio": _rt.dynamic(_rt.array("float32"))},
    meta_fields={"nx": int},
    flatten=_codegen_flatten_Stretched,
)
