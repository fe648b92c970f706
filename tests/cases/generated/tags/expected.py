@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Linear(_rt.ShapedPytree, _rt.TaggedPytree):

    w: Float32[Array, "n"]  # donated


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Net(_rt.ShapedPytree, _rt.TaggedPytree):

    first: Linear  # donated
