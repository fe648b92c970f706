from typing import Any, Generic, TypeVar

from codegen.schema import Dim, Float, donated, dynamic, f32, static

nx = Dim()
T = TypeVar("T")

class Base:
    n: static[int | None]
    u: donated[f32[nx]]
    v: donated[Float[nx]]
    pair: static[tuple[int, str]]

class Sub(Base):
    n: static[int | str]
    u: donated[Float[nx]]
    v: donated[Float[...]]
    pair: static[tuple[int, ...]]

class Box(Generic[T]):
    content: static[T]

class IntBox(Box[int]):
    content: static[str]
