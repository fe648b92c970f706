from codegen.schema import Dim, donated, f32, impl, ref, static

n = Dim()

class Nested:
    a: donated[ref[f32[n]]]
    b: static[ref[f32[n]]]

@impl("m:f")
def f(x: ref[f32[n]]) -> ref[f32[n]]: ...
