from jax.nn import initializers
from jax.nn.initializers import ones

from codegen.schema import Dim, dynamic, f32

n = Dim()

class Plate:
    a: dynamic[f32[n]] = zeros
    b: dynamic[f32[n]] = normal(0.02)
    c: dynamic[f32[n]] = ones
    d: dynamic[f32[n]] = initializers.ones
    e: dynamic[f32[n]] = "zeros"
