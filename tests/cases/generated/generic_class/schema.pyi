from typing import Generic, TypeVar

from codegen.schema import dynamic, f32

T = TypeVar("T")

class Box(Generic[T]):
    held: dynamic[T]

class Shelf:
    box: dynamic[Box[f32]]
