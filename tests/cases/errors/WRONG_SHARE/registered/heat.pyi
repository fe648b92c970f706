from codegen.schema import Dim, donated, f32, share

n = Dim()

class Plain:
    a: donated[f32[n]]
    b: donated[f32[n]]
    share(a, b)

class Pair(Plain, registration="jax"):
    c: donated[f32[n]]
    d: donated[f32[n]]
    share(c, d)
    share(a, d)
