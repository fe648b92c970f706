from jax.nn.initializers import normal

from codegen.schema import donated, f32, field

class Linear:
    w: donated[f32[3, 3]] = field(init="lecun_normal")
    v: donated[f32[3, 3]] = field(init=normal(0.02))
    u: donated[f32[3, 3]] = field(init=variance_scaling(1.0, "fan_in", distribution="normal"))
    b: donated[f32[3]] = field(init=zeros)
    c: donated[f32[3]] = field(init="models.init:mine")
