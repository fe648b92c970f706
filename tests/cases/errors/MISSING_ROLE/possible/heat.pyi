from enum import Enum
from typing import Any, Callable, Literal

from codegen.schema import Dim, dtype, dynamic, f32, frozendict, key, static

n = Dim()
Text = str
Vector = f32[n]

class Scheme(Enum):
    EXPLICIT = 1

class State:
    x: dynamic[f32[n]]

class Sub(State): ...

class Part:
    n: static[int]

class Plate:
    a: key
    b: key[2]
    c: list[f32]
    d: dict[str, f32]
    e: Scheme
    f: Scheme | None
    g: Literal["a", "b"]
    h: str | None
    i: Callable[[float], float]
    j: dtype
    k: frozendict[str, int]
    l: tuple[int, ...]
    m: tuple[f32, int]
    o: State
    p: Sub | None
    q: Part
    r: Text
    s: Vector
    t: list[str]
    u: Any
    v: list[int]
    w: tuple[str, f32]
    x: PRNGKey
