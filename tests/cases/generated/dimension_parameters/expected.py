@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Linear(_Linear):

    w: Float32[Array, "n_in n_out"]  # donated

    def __new__(cls, w: ArrayLike) -> Self:
        record = cls.__codegen_record__
        if type(w) in CONVERTED or is_weak(w):
            w = as_array(w, "float32", cls, "w")
        key = record.key(cls, ())
        return record.unflatten(key, (w,))

    @classmethod
    def abstract(cls, *, n_in: int, n_out: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return make_abstract(cls, n_in=n_in, n_out=n_out)


register_dataclass(
    Linear,
    schema="schema.Linear",
    data_fields={"w": donated(array("float32", "n_in", "n_out"))},
    meta_fields={},
    key=_codegen_key_Linear,
    flatten=_codegen_flatten_Linear,
    unflatten=_codegen_unflatten_Linear,
    parameters=("n_in", "n_out"),
)


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Square(_Square):

    linear: Linear  # dynamic

    def __new__(cls, linear: Linear) -> Self:
        record = cls.__codegen_record__
        if type(linear) is not Linear:
            linear = as_part(linear, Linear, cls, "linear")
        key = record.key(cls, ())
        return record.unflatten(key, (linear,))

    @classmethod
    def abstract(cls, *, n_in: int) -> Self:
        """Create an object with a `jax.ShapeDtypeStruct` instead of each array."""
        return make_abstract(cls, n_in=n_in)


register_dataclass(
    Square,
    schema="schema.Square",
    data_fields={"linear": dynamic(part(Linear, {"n_in": "n_in", "n_out": "n_in"}))},
    meta_fields={},
    key=_codegen_key_Square,
    flatten=_codegen_flatten_Square,
    unflatten=_codegen_unflatten_Square,
)
