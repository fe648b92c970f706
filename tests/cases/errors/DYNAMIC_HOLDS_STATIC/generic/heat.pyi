from typing import Generic, TypeVar

from codegen.schema import dynamic, static

T = TypeVar("T")
S = TypeVar("S")

class Box(Generic[T, S]):
    content: dynamic[T]
    label: static[S]

class Shelf(Generic[S]):
    box: dynamic[Box[S, int]]

class Plate:
    fine: dynamic[Box[float, str]]
    box: dynamic[Box[str, str]]
    shelf: dynamic[Shelf[str]]
