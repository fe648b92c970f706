from typing import Generic, TypeVar

from codegen.schema import Dim, dynamic, f32

nx = Dim()
T = TypeVar("T")
S = TypeVar("S")
Field = f32[nx]

class Inner(Generic[T], dims=(n,)):
    u: dynamic[f32[n]]
    x: dynamic[T]

class Pair(Generic[T, S], dims=(n, m)):
    u: dynamic[f32[n, m]]
    x: dynamic[T]
    y: dynamic[S]

class Plate(dims=(k,)):
    a: dynamic[Inner[f32[nx], nx]]
    b: dynamic[Inner[int, 3] | None]
    c: dynamic[Pair[Field, k, f32 | None, nx + 1]]
    d: dynamic[Inner[Inner[3, f32], _]]
    w: dynamic[f32[k]]

class Derived(Inner[f32, nx]): ...
