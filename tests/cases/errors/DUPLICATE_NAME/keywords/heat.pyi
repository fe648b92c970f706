from typing import TypeVar

from codegen.schema import Dim, dynamic, f32, field, frozendict, impl, static

nx = Dim(mesh="rows", mesh="columns")
T = TypeVar("T", bound=int, bound=float)

class Grid(kw_only=True, kw_only=True):
    order: static[int] = field(default=3, default=4)
    names: static[frozendict[str, int]] = frozendict(a=1, b=2, a=1)

class Plate:
    grid: static[Grid] = Grid(order=1, order=2)
    u: dynamic[f32[nx]] = field(init=normal(stddev=0.1, stddev=0.2))

@impl("heat_model:step", keep_unused=True, keep_unused=False)
def step(x: dynamic[f32]) -> f32: ...
