"""Plates, with one class for each part of the run time."""

from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, Literal, TypeVar

from jax import Ref

from codegen.schema import Dim, donated, dynamic, f32, field, frozendict, impl, key, share, static

T = TypeVar("T")
nx = Dim()
rows = Dim(mesh="rows")

class Scheme(Enum):
    SLOW = 1
    FAST = 2

class Grid:
    nx: static[int]
    dx: static[float] = 0.5
    scheme: static[Scheme] = Scheme.SLOW
    mode: static[Literal["a", "b"]] = "a"
    sizes: static[tuple[int, ...]] = ()
    rates: static[frozendict[str, float]] = frozendict()
    source: static[Callable[[float], float] | None] = None
    anything: static[Any] = None

class Cell(dims=(nx,)):
    w: donated[f32[nx]] = field(init="normal", tag="decayed")
    b: dynamic[f32] = 0.0

class Plate(dims=(nx,), draft=True):
    u: donated[f32[nx]]
    grid: static[Grid]
    cells: dynamic[tuple[Cell[nx], ...]] = ()
    t: dynamic[f32] = 0.0

class Tied(dims=(nx,)):
    first: donated[Cell[nx]]
    second: donated[Cell[nx]]
    share(first, second)

class Rows:
    u: dynamic[f32[rows]]

class Noise(draft=True):
    rng: dynamic[key]
    count: dynamic[f32] = 0.0

class Cache(dims=(nx,)):
    kept: dynamic[Ref]
    u: donated[f32[nx]]

class Box(Generic[T]):
    item: dynamic[T]

@impl("both_impl:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate: ...
@impl("both_impl:wrong")
def wrong(plate: dynamic[Plate]) -> Plate: ...
@impl("both_impl:write")
def write(cache: donated[Cache]) -> Cache: ...
@impl("both_impl:same")
def same(box: dynamic[Box[T]]) -> T: ...
@impl("both_impl:few", traces=1)
def few(x: dynamic[f32[nx]]) -> f32[nx]: ...
