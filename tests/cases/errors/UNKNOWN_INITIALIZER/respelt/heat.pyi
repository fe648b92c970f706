import jax
from jax.nn import initializers

from codegen.schema import dynamic, f32, field

class Linear:
    a: dynamic[f32[3]] = field(init=jax.nn.initializers.normal(0.02))
    b: dynamic[f32[3]] = field(init=initializers.normal)
    c: dynamic[f32[3]] = field(init="normal(0.02)")
    d: dynamic[f32[3]] = field(init="jax.nn.initializers.normal")
    e: dynamic[f32[3]] = field(init=jax.nn.initializers.zeros())
    f: dynamic[f32[3]] = field(init=jax.nn.initializers.constant)
    g: dynamic[f32[3]] = field(init=jax.nn.initializers.nromal(0.02))
