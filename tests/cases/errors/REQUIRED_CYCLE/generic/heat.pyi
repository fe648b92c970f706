from typing import Generic, TypeVar

from codegen.schema import Dim, dynamic, f32, static

n = Dim()
T = TypeVar("T")
U = TypeVar("U")

class Box(Generic[T]):
    value: dynamic[T]

class Pair(Generic[T, U]):
    first: dynamic[Box[T]]
    second: dynamic[U | None]

class Chain:
    link: dynamic[Box[Chain]]

class First:
    pair: dynamic[tuple[Pair[Second, f32], f32[n]]]

class Second:
    first: dynamic[Box[tuple[First, n]]]

class Either:
    one: dynamic[Either | Box[Either]]

class Nest(Generic[T]):
    deeper: dynamic[Nest[Box[T]]]

class Shape(abstract=True):
    outline: static[Shape]

class Disc(Shape):
    radius: static[float]

class Holder:
    """Nothing of it is wrong but what it holds."""

    chain: dynamic[Chain]
