from codegen.schema import Dim, donated, f32

nx = Dim()
Field = f32[nx]

class Linear(dims=(n, m)):
    w: donated[f32[n, m]]

class Plate:
    a: donated[f32[nx / 2]]
    b: donated[f32[-1]]
    c: donated[f32[*a, ...]]
    d: donated[f32[True]]
    e: donated[f32[nx + _]]
    f: donated[f32[Field]]
    g: donated[f32[Linear]]
    h: donated[Linear[..., nx]]
    i: donated[Linear[*rest, nx]]
    j: donated[f32[1.5]]
    k: donated[f32[99999999999999999999]]
    l: donated[f32[nx ** 2]]
