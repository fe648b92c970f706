from codegen.schema import dynamic, f32, impl

@impl("heat_model:step")
def step(*ts: dynamic[f32], **others: dynamic[f32]) -> f32: ...
