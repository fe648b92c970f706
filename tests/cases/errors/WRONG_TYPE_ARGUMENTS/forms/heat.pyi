from typing import Callable, ClassVar, Generic, Literal, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, frozendict, static

nx = Dim()
Field = f32[nx]
T = TypeVar("T")

class Part:
    n: static[int]

class Linear(dims=(n, m)):
    w: donated[f32[n, m]]

class Box(Generic[int]): ...
class Bag(Generic): ...
class Bin(Generic[T, T]): ...

class Grid:
    a: static[list]
    b: static[tuple]
    c: dynamic[dict[str]]
    d: static[int[3]]
    e: static[Part[3]]
    f: donated[Linear[nx]]
    g: donated[Field[3]]
    h: static[Callable]
    i: static[Callable[int, int]]
    j: static[Literal]
    l: static[frozendict[str]]
