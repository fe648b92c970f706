from codegen.schema import dynamic, f32, impl

@impl("heat_model:step")
def step(t: dynamic[f32], dt, n: int = 1) -> f32: ...
