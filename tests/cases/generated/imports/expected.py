from optax import GradientTransformation


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Trained(_Trained):

    loss: Float32[Array, ""]  # dynamic
    optimizer: GradientTransformation  # static

    def __new__(cls, loss: ArrayLike, optimizer: GradientTransformation) -> Self:
        record = cls.__codegen_record__
        if type(loss) in CONVERTED or is_weak(loss):
            loss = as_array(loss, "float32", cls, "loss")
        key = record.key(cls, (optimizer,))
        return record.unflatten(key, (loss,))


def _codegen_key_Trained(cls: type[Any], values: Any) -> TraceKey:
    """Convert the static values to their declared types; return their trace key."""
    (optimizer,) = values
    optimizer, optimizer_tag = cls.__codegen_record__.meta_fields["optimizer"].static(
        optimizer, cls, "optimizer"
    )
    return intern_key(cls, (optimizer_tag,), (optimizer,))


register_dataclass(
    Trained,
    schema="schema.Trained",
    data_fields={"loss": dynamic(array("float32"))},
    meta_fields={"optimizer": foreign(GradientTransformation)},
    key=_codegen_key_Trained,
    flatten=_codegen_flatten_Trained,
    unflatten=_codegen_unflatten_Trained,
)
