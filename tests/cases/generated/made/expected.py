use_running_script("models")


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Model(_Model):

    rates: dict[str, Float32[Array, ""]]  # dynamic
    state: Float32[Array, ""]  # dynamic
    activation: Callable[[Float32[Array, ""]], Float32[Array, ""]]  # static

    def __new__(
        cls,
        rates: dict[str, Float32[Array, ""]] = MISSING,
        state: ArrayLike = MISSING,
        activation: Callable[[Float32[Array, ""]], Float32[Array, ""]] = nn.relu,
    ) -> Self:
        if rates is MISSING:
            rates = {}
        if state is MISSING:
            from models import state as make_state

            state = make_state()
        record = cls.__codegen_record__
        rates = record.data_fields["rates"].dynamic(rates, cls, "rates")
        if type(state) in CONVERTED or is_weak(state):
            state = as_array(state, "float32", cls, "state")
        key = record.key(cls, (activation,))
        return record.unflatten(key, (rates, state))


def _codegen_key_Model(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    (activation,) = values
    activation = as_callable(activation, cls, "activation")
    return intern_key(cls, (id(activation),), (activation,))


register_dataclass(
    Model,
    schema="schema.Model",
    data_fields={
        "rates": dynamic(dict_of(str, array("float32"))),
        "state": dynamic(array("float32")),
    },
    meta_fields={"activation": function},
    key=_codegen_key_Model,
    flatten=_codegen_flatten_Model,
    unflatten=_codegen_unflatten_Model,
    factories={"rates": "builtins:dict", "state": "models:state"},
)
