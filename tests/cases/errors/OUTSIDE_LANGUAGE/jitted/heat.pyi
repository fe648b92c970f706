import jax
from jax import jit

from codegen.schema import dynamic, f32, impl

class Plate:
    t: dynamic[f32]

    @jit
    @impl("heat_model:energy")
    def energy(self) -> f32: ...

    @jax.jit
    @impl("heat_model:power")
    def power(self) -> f32: ...

@jit
@impl("heat_model:step")
def step(t: dynamic[f32]) -> f32: ...
