from typing import Generic, TypeVar

from codegen.schema import Dim, dynamic, f32, static

T = TypeVar("T")
n = Dim()

class Box(Generic[T]):
    held: dynamic[T]

class Pair(Generic[T]):
    one: dynamic[Box[tuple[T, T]]]
    other: dynamic[Box[Box[T]]]

class Tree(Generic[T]):
    """It holds itself, of ever larger types: an object of it ends."""

    kids: dynamic[Tree[tuple[T, T]] | None] = None

class Sized(dims=(n,)):
    u: dynamic[f32[n]]

class Twice(dims=(n,)):
    n: static[int]
    a: dynamic[Sized[n + n]]
    pairs: dynamic[Pair[Tree[f32[n]]]]
