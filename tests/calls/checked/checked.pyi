"""Functions whose arguments and results are checked when they are traced."""

from typing import Any

from codegen.schema import (
    Bool,
    Dim,
    Float,
    donated,
    dynamic,
    f32,
    i32,
    impl,
    key,
    stacked,
    static,
)

n = Dim()
m = Dim()
layers = Dim()
n_in = Dim()
n_out = Dim()

class Grid:
    n: static[int]

class Plate:
    u: donated[f32[n]]
    alpha: dynamic[f32[n]]
    grid: static[Grid | None] = None
    aside: dynamic[Any] = None

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]]

class Counted:
    x: dynamic[f32]
    count: dynamic[i32]
    on: dynamic[Bool]
    rng: dynamic[key]

@impl("checked_impl:same")
def plate(plate: donated[Plate]) -> Plate: ...
@impl("checked_impl:same", checks=False)
def free(plate: donated[Plate]) -> Plate: ...
@impl("checked_impl:first")
def two(fine: dynamic[Plate], coarse: dynamic[Plate]) -> Plate: ...
@impl("checked_impl:first")
def forced(plate: donated[Plate], force: dynamic[f32[n]]) -> Plate: ...
@impl("checked_impl:first")
def arrays(x: donated[f32[n]], y: dynamic[f32[n, m]], z: dynamic[f32[m]]) -> f32[n]: ...
@impl("checked_impl:first")
def any_float(x: dynamic[Float[n]]) -> Float[n]: ...
@impl("checked_impl:first")
def containers(
    pair: dynamic[tuple[f32[n], i32]], named: dynamic[dict[str, f32[n] | None]]
) -> tuple[f32[n], i32]: ...
@impl("checked_impl:first")
def keys(rng: dynamic[key], several: dynamic[key[n] | None] = None) -> key: ...
@impl("checked_impl:first")
def sized(x: dynamic[f32[n]], n: static[int] = 3) -> f32[n]: ...
@impl("checked_impl:first")
def constant(x: dynamic[f32[n]], table: static[f32[n, m]]) -> f32[n]: ...
@impl("checked_impl:first")
def layered(x: dynamic[f32[n]], linear: dynamic[Linear[n, m]]) -> f32[m]: ...
@impl("checked_impl:first")
def deep(blocks: dynamic[stacked[Plate, layers]], x: dynamic[f32[layers]]) -> f32[n]: ...
@impl("checked_impl:first")
def scalar(rate: dynamic[float]) -> float: ...
@impl("checked_impl:first")
def counted(counted: dynamic[Counted]) -> Any: ...
@impl("checked_impl:first")
def anything(tree: dynamic[Any]) -> Any: ...
@impl("checked_impl:first")
def matrix(
    x: dynamic[f32[n, m]], y: dynamic[f32[m]], plate: dynamic[Plate | None] = None
) -> f32[n, m]: ...
