from typing import TypeVar

from codegen.schema import Dim, donated, f32, field, impl

nx = Dim(mesh=("rows", "cols"))
T = TypeVar("T")

class Linear(use="dynamic", kw_only=True, dims=(n,)):
    w: donated[f32[n, 3]] = field(spec=(("a", "b"), None))
    v: donated[f32[...]] = field(spec=("rows", None, "cols"))
    b: donated[f32[n]] = field(init=constant(3.0))
    u: donated[f32[n, 3]] = field(spec=("x", "y"))
    q: donated[f32[n, 3]] = field(spec=(None, None))

@impl("heat_model:step", inline=True, compiler_options={"xla_a": True, "xla_b": -1.5, "xla_c": "x"})
def step(u: donated[f32[nx]]) -> f32[nx]: ...
