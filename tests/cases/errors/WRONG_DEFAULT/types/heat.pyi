from enum import Enum
from typing import Callable, ClassVar, Literal

import numpy as np

from codegen.schema import Dim, Float, UInt, dtype, dynamic, f32, frozendict, i8, impl, key, static, u8

nx = Dim()

class Scheme(Enum):
    EXPLICIT = 1

class Other(Enum):
    A = 1

class Sub(Enum):
    A = 1

class Grid:
    a: static[float] = "0.01"
    b: static[int] = 1.0
    c: static[int] = True
    d: static[Scheme] = Other.A
    e: static[Literal["a", "b"]] = "c"
    f: static[tuple[int, ...]] = (1, "2")
    g: static[tuple[int, int]] = (1,)
    h: static[tuple[int, ...]] = 1
    i: static[frozenset[int]] = (1, 2)
    j: static[frozendict[str, int]] = frozendict({1: 1})
    k: static[int | None] = "x"
    l: dynamic[f32[nx]] = 0.0
    m: dynamic[u8] = -1
    n: dynamic[i8] = 300
    o: dynamic[f32] = 1j
    p: dynamic[key] = 0
    q: static[dtype] = 3
    r: static[Callable[[int], int]] = 3
    s: static[np.float32] = 3.0
    t: dynamic[list[f32]] = ()
    u: dynamic[UInt] = -1
    z: ClassVar[int] = "z"

    @impl("heat_model:area")
    def area(self, scale: float = "1") -> float: ...

@impl("heat_model:step")
def step(t: dynamic[f32], n: static[int] = 1.5) -> f32: ...
