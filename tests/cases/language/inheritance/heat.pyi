from operators import Arithmetic
import model.mixins

from codegen.schema import Float, donated, dynamic, f32, impl, static

class Model(abstract=True, use="dynamic"):
    """A model."""

    n: static[int | None] = None
    w: donated[Float[...]]

    @impl("models:apply")
    def apply(self, x: f32) -> f32: ...

class Small(Model, Arithmetic, model.mixins.Shown):
    n: static[int] = 3
    extra: dynamic[f32] = 0.0

    @impl("models:apply_small")
    def apply(self, x: f32) -> f32: ...

class Tiny(Small, kw_only=True):
    w: donated[f32[3]]

class Solver(abstract=True, use="static"): ...

class Newton(Solver):
    steps: static[int] = 10

class Plate:
    model: donated[Model]
    solver: static[Solver]
    chosen: static[Solver] = Newton(steps=3)

class Keywords(kw_only=True):
    u: dynamic[f32]

class Positions(Keywords):
    v: dynamic[f32] = 0.0

class More(Positions):
    u: dynamic[f32]
    w: dynamic[f32] = 0.0
