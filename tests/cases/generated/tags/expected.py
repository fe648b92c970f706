class _Linear(ShapedPytree, TaggedPytree):
    """Builder class of `Linear`: the same slots, but not frozen."""


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Linear(_Linear):

    w: Float32[Array, "n"]  # donated


register_dataclass(
    Linear,
    schema="schema.Linear",
    data_fields={"w": donated(array("float32", "n"))},
    meta_fields={},
    key=_codegen_key_Linear,
    flatten=_codegen_flatten_Linear,
    unflatten=_codegen_unflatten_Linear,
    all_tags=("decay",),
    tags={"w": ("decay",)},
)


class _Net(ShapedPytree, TaggedPytree):
    """Builder class of `Net`: the same slots, but not frozen."""


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Net(_Net):

    first: Linear  # donated


register_dataclass(
    Net,
    schema="schema.Net",
    data_fields={"first": donated(part(Linear))},
    meta_fields={},
    key=_codegen_key_Net,
    flatten=_codegen_flatten_Net,
    unflatten=_codegen_unflatten_Net,
    all_tags=("decay", "first", "frozen"),
    tags={"first": ("frozen", "first")},
)
