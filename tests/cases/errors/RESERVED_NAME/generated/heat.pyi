from enum import Enum

from codegen.schema import donated, f32, impl, static
from heat_model import Solver as _rt

class Scheme(Enum):
    _rt = 1

class Grid:
    _rt: static[int]

    @impl("heat_model:total")
    def total(self, _rt: f32) -> f32: ...

class Plate:
    u: donated[f32]

    @impl("heat_model:energy")
    def _rt(self) -> f32: ...
