@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_rt.ShapedPytree):

    items: Sequence[Float32[Array, ""]]  # dynamic
    rates: Mapping[str, Float32[Array, ""]]  # dynamic

    def __new__(
        cls, items: Sequence[ArrayLike], *, rates: Mapping[str, ArrayLike] = _rt.MISSING
    ) -> Self:
        if rates is _rt.MISSING:
            rates = {}
        items = _rt.as_declared(items, cls, "items")
        rates = _rt.as_declared(rates, cls, "rates")
        key = _rt.trace_key(cls, (), ())
        return cls.__codegen_record__.unflatten(key, (items, rates))

    @classmethod
    def abstract(cls, *, items: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array.

        Args:
            items: the number of elements of `items`
        """
        return _rt.make_abstract(cls, items=items)
