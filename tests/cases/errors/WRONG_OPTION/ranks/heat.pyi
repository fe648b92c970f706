from codegen.schema import Dim, donated, dynamic, f32, field

n = Dim()

class Linear(dims=(m,)):
    a: donated[f32[n]] = field(init="lecun_normal")
    b: donated[f32] = field(init=he_uniform())
    c: donated[f32[_]] = field(init="orthogonal")
    d: donated[f32[m] | None] = field(default=None, init="glorot_normal")
    e: donated[f32[n, n]] = field(init="delta_orthogonal")
    f: donated[f32[n, n, n, n, n, n]] = field(init="delta_orthogonal")
    g: dynamic[f32[n]] = field(init=variance_scaling(1.0, "fan_in", "normal"))
    ok_axes: donated[f32[n]] = field(init=lecun_normal(0, 0))
    ok_named: donated[f32[n]] = field(init=variance_scaling(1.0, "fan_in", "normal", in_axis=0, out_axis=0))
    ok_batch: donated[f32[*batch, n]] = field(init="lecun_normal")
    ok_any: donated[f32[...]] = field(init="lecun_normal")
    ok_two: donated[f32[n, n + 1]] = field(init="lecun_normal")
    ok_three: donated[f32[3, n, n]] = field(init="delta_orthogonal")
