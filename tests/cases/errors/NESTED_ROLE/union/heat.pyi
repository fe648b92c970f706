from codegen.schema import donated, dynamic, f32, impl, static

class Plate:
    u: dynamic[f32] | None = None
    v: None | dynamic[f32] | static[int]

@impl("heat_model:step")
def step(t: donated[f32] | None) -> f32: ...
