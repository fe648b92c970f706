import chex
from chex import Array, ArrayTree, Numeric, PRNGKey, dataclass
from codegen.schema import dynamic

class Plate:
    u: dynamic[Array]
    params: dynamic[ArrayTree]
    rate: dynamic[Numeric]
    rng: dynamic[PRNGKey]
    other: dynamic[chex.ArrayTree]
