from codegen.schema import Dim, donated, dynamic, f32, share, static

pixels = Dim()

class Linear(dims=(n,)):
    w: donated[f32[n]]

class Model:
    n: static[int]
    a: donated[f32[pixels]]
    b: donated[f32[3]]
    first: donated[Linear[pixels]]
    second: donated[Linear[3]]
    third: donated[Linear[3]]
    layers: donated[tuple[Linear[3], ...]]
    share(a, first.w)
    share(b, n)
    share(third, b)
    share(layers, second)
    share(first, second.w)
