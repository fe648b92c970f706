@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(Describing, _rt.ShapedPytree):

    u: Float32[Array, ""]  # dynamic
