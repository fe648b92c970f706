from codegen.schema import Dim, donated, dynamic, f32, impl, static

n = Dim()

class Plate:
    a: dynamic[donated[f32[n]]]
    b: dynamic[dynamic[f32[n]]]
    both: static[dynamic[int]]
    c: static[dynamic[donated[f32]]]

@impl("heat_model:step")
def step(t: donated[dynamic[f32]]) -> f32: ...
