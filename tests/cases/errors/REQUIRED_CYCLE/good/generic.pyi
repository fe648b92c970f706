from typing import Generic, TypeVar

from codegen.schema import Dim, dynamic, f32, static

n = Dim()
T = TypeVar("T")
U = TypeVar("U")

class Box(Generic[T]):
    value: dynamic[T]

class Maybe(Generic[T]):
    value: dynamic[T | None]

class Pair(Generic[T, U]):
    first: dynamic[Box[T]]
    second: dynamic[U | None]

class Edge:
    box: dynamic[Box[Node | None]]

class Node:
    edge: dynamic[Edge]

class Chain:
    link: dynamic[Maybe[Chain]]

class Tree:
    below: dynamic[Box[tuple[Tree, ...]]]
    beside: dynamic[dict[str, Box[Tree]]]

class Second:
    first: dynamic[Pair[f32[n], Second]]

class Either:
    one: dynamic[Either | Box[f32]]

class Nest(Generic[T]):
    value: dynamic[T]
    deeper: dynamic[Nest[Box[T]] | None]

class Shape(abstract=True):
    outline: static[Shape | None]

class Disc(Shape):
    radius: static[float]
