from codegen.schema import donated, dynamic, f32, impl

class Pair:
    first: donated[f32]
    second: dynamic[f32]

@impl("heat_model:step")
def step(pair: donated[Pair]) -> f32: ...
