from codegen.schema import Dim, donated, dynamic, f32, share

pixels = Dim()

class Linear(dims=(n,)):
    w: donated[f32[n]]

class Model:
    a: donated[f32[pixels]]
    first: donated[Linear[pixels]]
    second: donated[Linear[3]]
    third: dynamic[Linear[3]]
    share(a, first.w)
    share(second, third)
