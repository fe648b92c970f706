import jax
from codegen.schema import Dim, Float, dynamic, static
from jax import Array

nx = Dim()

class Grid:
    u: dynamic[Float[Array, "nx"]]
    v: dynamic[Float[jax.Array, "nx 3"] | None]
    w: dynamic[Float[Array, ""]]
    x: static["Float[nx]"]
