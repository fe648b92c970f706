@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_rt.ShapedPytree):

    rates: dict[str, Float32[Array, ""]]  # dynamic
    state: Float32[Array, ""]  # dynamic
    activation: Callable[[Float32[Array, ""]], Float32[Array, ""]]  # static

    def __new__(
        cls,
        rates: dict[str, Float32[Array, ""]] = _rt.MISSING,
        state: ArrayLike = _rt.MISSING,
        activation: Callable[[Float32[Array, ""]], Float32[Array, ""]] = nn.relu,
    ) -> Self:
        if rates is _rt.MISSING:
            rates = {}
        if state is _rt.MISSING:
            from models import state as make_state

            state = make_state()
        rates = _rt.as_declared(rates, cls, "rates")
        state = _rt.as_array(state, "float32", cls, "state")
        activation = _rt.as_callable(activation, cls, "activation")
        values = (activation,)
        tags = (id(activation),)
        key = _rt.trace_key(cls, values, tags)
        return cls.__codegen_record__.unflatten(key, (rates, state))
