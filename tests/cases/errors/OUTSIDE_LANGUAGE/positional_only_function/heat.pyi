from codegen.schema import dynamic, f32, impl

@impl("heat_model:step")
def step(t: dynamic[f32], /) -> f32: ...
