from typing import TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, impl

nx = Dim(mesh=3)
T = TypeVar("S")
S = TypeVar()
U = TypeVar("U", int)
V = TypeVar("V", int, str, bound=int)

class Grid(abstract=1, use="traced", kw_only="yes", dims="n"):
    n: dynamic[f32]

@impl("heat_model:step", keep_unused="yes")
def step(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", traces=0)
def never(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", traces=True, keep_unused=1)
def often(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", inline=1, compiler_options={"xla_a": None})
def inlined(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", compiler_options={"xla_a": step})
def fast(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", compiler_options={1: True})
def odd(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", compiler_options="xla_a=1")
def text(t: dynamic[f32]) -> f32: ...
@impl("heat_model:step", traces=None)
def always(t: dynamic[f32]) -> f32: ...
