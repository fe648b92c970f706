from codegen.schema import donated, dynamic, f32, field, impl

class Plate:
    u: donated[f32] = field(factory="model:made")
    tables: dynamic[dict[str, f32]] = {}

    @impl("model:Class.energy")
    def energy(self) -> f32: ...

@impl("model:step")
def step(plate: donated[Plate]) -> Plate: ...

@impl("model:jitted")
def jitted(plate: dynamic[Plate]) -> f32: ...

@impl("elsewhere:step")
def elsewhere(plate: dynamic[Plate]) -> f32: ...

@impl("anything:step")
def anything(plate: dynamic[Plate]) -> f32: ...

@impl("made:step")
def later(plate: dynamic[Plate]) -> f32: ...

@impl("assigned:Class.step")
def assigned(plate: dynamic[Plate]) -> f32: ...

@impl("broken:step")
def broken(plate: dynamic[Plate]) -> f32: ...
