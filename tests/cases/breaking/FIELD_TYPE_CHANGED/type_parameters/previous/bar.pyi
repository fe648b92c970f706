from typing import Generic, TypeVar

from codegen.schema import dynamic, f32

S = TypeVar("S")
T = TypeVar("T")

class Box(Generic[S, T]):
    a: dynamic[S]
    b: dynamic[T]

class Named(Box[f32, T], Generic[T]):
    c: dynamic[T]
