@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Linear(_rt.InitPytree):

    w: Float32[Array, "n m"]  # donated
    b: Float32[Array, "m"]  # donated
