from typing import Generic, TypeVar

from codegen.schema import donated, dynamic, f32, impl

from .a import A9

T = TypeVar("T")

class B10(Generic[T]):
    a: dynamic[A9[dict[str, tuple[T, T, T, T, T, T]]]]

class B11(Generic[T]):
    a: dynamic[B10[tuple[T, T, T, T]]]

class B12(Generic[T]):
    a: dynamic[B11[tuple[T, T]]]
    b: dynamic[B11[tuple[T, T]]]

@impl("m:f")
def f(b: dynamic[B10[tuple[f32, f32, f32, f32]]]) -> A9[f32]: ...
