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

class codegen:
    rt: static[int]
    runtime: static[int]

class Start:
    init: dynamic[f32]

class Variables:
    key: static[int]
    record: dynamic[f32]

@impl("heat_model:result")
def result(values: donated[f32], obj: dynamic[f32]) -> f32: ...
