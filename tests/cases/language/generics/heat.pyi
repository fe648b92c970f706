from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

T = TypeVar("T")
S = TypeVar("S", bound=Grid)
N = TypeVar("N", int, str)
R = TypeVar("R", bound=float)

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

class Chosen(Generic[N]):
    tag: static[N]
    value: dynamic[f32]

class Number(Generic[R]):
    value: dynamic[R]

class Table(Generic[T]):
    items: static[T]

class Rates(Table[f32[...]]): ...

class Holder:
    chosen: dynamic[Chosen[int]]
    numbers: dynamic[tuple[Number[int], ...]]
    table: static[Table[f32[...]]]
    box: dynamic[Box[f32 | None]]
    pair: dynamic[Pair[tuple[f32, f32], Grid]]
