from enum import Enum

from codegen.schema import Dim, donated, dynamic, f32, impl, static

_n = Dim()

class Scheme(Enum):
    MRO = 1
    _private = 2

class Grid:
    _nx: static[int]
    int: static[float]
    self: static[float]
    property: static[float]
    type: static[str]
    match: static[int]
    key: static[int]

@impl("heat_model:replace")
def replace(u: donated[f32[_n]]) -> f32[_n]: ...

class Start:
    init: dynamic[f32]
