from enum import Enum
from codegen.schema import dynamic, f32, static

class lower(Enum):
    A = 1

class Grid:
    a: static[float] = math.pi
    b: static[float] = -math.inf
    c: static[float] = np.nan
    d: static[float] = inf
    e: static[float] = pi
    f: static[float] = scipy.constants.g
    g: static[float] = math.sqrt(2.0)
    h: static[float] = GRAVITY
    i: static[float] = gravity
    j: static[lower] = lowr.A
    k: static[lower] = Lowest.A
    l: dynamic[f32] = jnp.float32
    m: static[lower] = UTM.NORTH
    n: static[lower] = Other(3)
