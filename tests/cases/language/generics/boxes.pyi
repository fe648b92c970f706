from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

T = TypeVar("T")

class Box(Generic[T], abstract=True):
    t: static[T]
    x: dynamic[f32]

class Open(Box[T], Generic[T]):
    u: static[T]
