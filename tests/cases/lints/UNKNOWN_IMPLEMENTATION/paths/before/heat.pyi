from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Plate:
    u: donated[f32[n]] = field(init="models.heat:strat")
    v: dynamic[f32[n]] = field(factory="models.heat:rates")
    power: static[float] = field(convert="models.heat:Units.wats")

    @impl("models.heat:Plates.energy")
    def energy(self) -> f32: ...

    @impl("models:Other.anything")
    def other(self) -> f32: ...

@impl("models.heat:stpe")
def step(plate: donated[Plate]) -> Plate: ...

@impl("models:missing")
def missing(plate: dynamic[Plate]) -> f32: ...
