from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()

class Alone:
    u: donated[f32[n]]

class Tank(abstract=True):
    level: donated[f32[n]]

class Boiler(Tank):
    heat: donated[f32[n]]

class Plant:
    tanks: donated[dict[str, tuple[Tank, ...]]]
    spare: donated[Boiler | None]

@impl("plant:step")
def step(plant: donated[Plant], scale: dynamic[f32]) -> Plant: ...
