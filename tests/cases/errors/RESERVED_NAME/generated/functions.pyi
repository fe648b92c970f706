from codegen.schema import donated, f32, impl

@impl("heat_model:step")
def _rt(u: donated[f32]) -> f32: ...
