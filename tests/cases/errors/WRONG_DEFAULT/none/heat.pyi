from typing import ClassVar

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

nx = Dim()

class Grid:
    u: dynamic[f32] = None
    v: donated[f32[nx]] = field(default=None)
    name: static[str] = None
    order: ClassVar[int] = None

    @impl("heat_model:energy")
    def energy(self, scale: float = None) -> float: ...

@impl("heat_model:step")
def step(t: dynamic[f32], n: static[int | str] = None) -> f32: ...
