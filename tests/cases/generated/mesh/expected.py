@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Plate(_rt.ShardedPytree):

    u: Float32[Array, "nx"]  # donated
    table: Float32[Array, "3 4"]  # dynamic
