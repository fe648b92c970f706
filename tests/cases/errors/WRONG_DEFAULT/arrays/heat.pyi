import jax.numpy as jnp
from jax.numpy import ones

from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim()

class Grid:
    a: dynamic[f32[n]] = jnp.zeros(3)
    b: dynamic[f32[n] | None] = ones(3)
    c: dynamic[f32[n]] = jnp.full(3, 0.5)
    d: dynamic[f32[n]] = jnp.array([1, 2])
    e: static[f32[n]] = jnp.zeros(3)
    f: static[int] = jnp.zeros(3)
    m: static[int] = jnp.ones

@impl("heat_model:step")
def step(v: dynamic[f32[n]] = jnp.zeros(3)) -> f32: ...
