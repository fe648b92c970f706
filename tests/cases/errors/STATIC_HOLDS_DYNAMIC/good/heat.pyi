from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

T = TypeVar("T")

class Part:
    x: dynamic[f32]

class Box(Generic[T]):
    content: dynamic[T]

class Grid:
    nx: static[int]

class Plate:
    part: dynamic[Part]
    box: dynamic[Box[Part]]
    grid: static[Grid | None]
