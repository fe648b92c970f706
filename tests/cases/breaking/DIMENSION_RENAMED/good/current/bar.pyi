from codegen.schema import Dim, dynamic, f32, impl

n = Dim()  # rows
j = Dim()  # of functions alone

class Net:
    a: dynamic[f32[n]]

@impl("model:f")
def f(net: dynamic[Net], x: dynamic[f32[j]]) -> f32[j]: ...
