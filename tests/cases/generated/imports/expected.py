from optax import GradientTransformation


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Trained(_rt.ShapedPytree):

    loss: Float32[Array, ""]  # dynamic
    optimizer: GradientTransformation  # static

    def __new__(cls, loss: ArrayLike, optimizer: GradientTransformation) -> Self:
        loss = _rt.as_array(loss, "float32", cls, "loss")
        optimizer, optimizer_tag = _rt.as_declared_static(optimizer, cls, "optimizer")
        values = (optimizer,)
        tags = (optimizer_tag,)
        key = _rt.trace_key(cls, values, tags)
        return cls.__codegen_record__.unflatten(key, (loss,))
