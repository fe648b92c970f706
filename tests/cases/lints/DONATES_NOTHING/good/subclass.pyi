from typing import Any

from codegen.schema import Dim, donated, dynamic, f32

n = Dim()

class Tank(abstract=True):
    level: dynamic[f32[n]]

class Boiler(Tank):
    heat: donated[f32[n]]

class Plant:
    tank: donated[Tank]
    rest: donated[Any]
