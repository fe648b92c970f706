from typing import TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

ny = Dim(mesh="rows")
T = TypeVar("T", bound=int)

class Grid(abstract=True, kw_only=True):
    a: static[int] = field(default=4)
    w: donated[f32[3, 3]] = field(init=normal(stddev=0.02))

@impl("heat_model:step", keep_unused=True, traces=2)
def step(t: dynamic[f32]) -> f32: ...
