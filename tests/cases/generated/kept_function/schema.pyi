from codegen.schema import dynamic, f32, impl

@impl("model:total")
def total(u: dynamic[f32[...]], scale: dynamic[float] = 1.0) -> f32: ...
