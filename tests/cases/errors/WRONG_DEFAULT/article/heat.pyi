from codegen.schema import dynamic, f32, impl, static

class Auto:
    n: static[int]

class Holder:
    auto: static[Auto] = 3

@impl("heat_model:step")
def step(x: dynamic[f32] = None) -> f32: ...
