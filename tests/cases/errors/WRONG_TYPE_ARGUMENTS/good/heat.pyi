from typing import Callable, ClassVar, Generic, Literal, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, frozendict, i32, static

nx = Dim()
T = TypeVar("T")

class Linear(Generic[T], dims=(n, m)):
    w: donated[f32[n, m]]
    x: dynamic[T]

class Grid:
    a: dynamic[list[int]]
    b: static[tuple[()]]
    d: static[i32[3]]
    f: donated[Linear[nx, _, int]]
    bare: donated[Linear]
    g: donated[Linear[3, nx + 1, Linear[nx, 2, int | None]]]
    h: static[Callable[[], int]]
    j: static[Literal["a", -1, None, True]]
    order: ClassVar[int] = 3
