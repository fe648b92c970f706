from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

T = TypeVar("T")

class Part:
    x: dynamic[f32]

class Box(Generic[T]):
    content: static[T]

class Plate:
    static_box: static[Box[Part]]
    dynamic_box: dynamic[Box[Part]]
