class _Linear(InitPytree):
    """Builder class of `Linear`: the same slots, but not frozen."""


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Linear(_Linear):

    w: Float32[Array, "n m"]  # donated
    b: Float32[Array, "m"]  # donated


register_dataclass(
    Linear,
    schema="schema.Linear",
    data_fields={
        "w": donated(array("float32", "n", "m", init=initializers.lecun_normal())),
        "b": donated(array("float32", "m", init=initializers.zeros)),
    },
    meta_fields={},
    key=_codegen_key_Linear,
    flatten=_codegen_flatten_Linear,
    unflatten=_codegen_unflatten_Linear,
)
