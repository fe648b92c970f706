from heat_mixins import Made

from codegen.schema import Dim, donated, dynamic, f32, field, static

nx = Dim(mesh="rows")

class Options(kw_only=True):
    named: donated[f32[nx, nx]] = field(init="lecun_normal")
    called: donated[f32[nx]] = field(init=normal(0.02))
    keyword: donated[f32[nx]] = field(init=truncated_normal(stddev=0.02, lower=-1.0))
    bare: donated[f32[nx]] = field(init=zeros)
    own: donated[f32[nx]] = field(init="models.init:Init.mine")
    spec: donated[f32[nx, nx, nx]] = field(spec=(("rows", "cols"), None, "more"))
    one: donated[f32[nx]] = field(spec="rows")
    replicated: donated[f32[nx]] = field(spec=())
    optional: donated[f32[nx] | None] = field(default=None, init="ones")
    converted: static[int] = field(convert="heat_model:rounded")

class Plain(abstract=False, use="dynamic"):
    t: dynamic[f32]

class Sorted(Plain, sort_leaves=True):
    b: dynamic[f32]
    a: dynamic[f32]

class Own(Made, init=False, kw_only=False):
    t: dynamic[f32]

class More(Own):
    u: dynamic[f32] = 0.0
