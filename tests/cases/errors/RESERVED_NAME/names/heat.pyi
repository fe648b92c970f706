import numpy as __np
from enum import Enum
from typing import ClassVar

from codegen.schema import Dim, donated, f32, impl, static

_ = Dim()
_codegen_n = Dim()
int = Dim()

class Scheme(Enum):
    mro = 1
    __x = 2
    _ignore_ = 3

class Grid:
    __nx: static[float]
    _codegen_key: static[float]
    replace: static[float]
    zeros: ClassVar[float] = 3.0

    @impl("heat_model:axes")
    def axes(self) -> float: ...

    @impl("heat_model:add")
    def __add__(self, other: Grid) -> Grid: ...

class Linear(dims=(__n, float)):
    w: donated[f32]

@impl("heat_model:step")
def step(self: donated[f32], __t: donated[f32]) -> f32: ...
