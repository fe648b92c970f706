from typing import TypeVar

from codegen.schema import Dim, dynamic, f32, impl

n = Dim()  # rows
m = Dim()  # columns
S = TypeVar("S")
T = TypeVar("T")

class Net:
    a: dynamic[f32[n, m]]

@impl("model:f")
def f(x: dynamic[f32[n, m]]) -> f32[n]: ...

@impl("model:g")
def g(x: dynamic[S], y: dynamic[T]) -> S: ...

@impl("model:h")
def h(x: dynamic[S], y: dynamic[T]) -> S: ...
