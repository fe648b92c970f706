from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

T = TypeVar("T")
S = TypeVar("S", bound=Grid)

class Grid:
    nx: static[int]

class Box(Generic[T]):
    content: dynamic[T]

class Pair(Box[f32], Generic[T, S]):
    first: dynamic[T]
    second: static[S]
    nested: dynamic[Box[Box[T]]]

class Named(Pair[f32, Grid]):
    name: static[str]

class Holder:
    box: dynamic[Box[f32 | None]]
    pair: dynamic[Pair[tuple[f32, f32], Grid]]
