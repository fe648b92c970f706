from typing import TypeVar

from codegen.schema import Dim, dynamic, f32, impl

n = Dim()  # rows
m = Dim()  # columns
S = TypeVar("S")
T = TypeVar("T")

class Net:
    a: dynamic[f32[n, m]]

@impl("model:f")
def f(x: dynamic[f32[n, m]]) -> f32[m]: ...

@impl("model:g")
def g(x: dynamic[S], y: dynamic[T]) -> T: ...

@impl("model:h")
def h(x: dynamic[T], y: dynamic[S]) -> T: ...
