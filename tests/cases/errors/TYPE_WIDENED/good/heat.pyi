from typing import Any, Generic, Literal, TypeVar

from codegen.schema import Dim, Float, Real, donated, f32, static

nx = Dim()
T = TypeVar("T")

class Part:
    n: static[int]

class Narrow(Part): ...

class Base:
    n: static[int | None]
    u: donated[Float[...]]
    v: donated[Real[_]]
    name: static[str]
    any: static[Any]
    parts: static[tuple[Part, ...]]

class Sub(Base):
    n: static[int]
    u: donated[f32[nx]]
    v: donated[Float[nx]]
    name: static[Literal["a", "b"]] = "a"
    any: static[bytes]
    parts: static[tuple[Narrow, Part]]

class Box(Generic[T]):
    content: static[T]

class IntBox(Box[int | None]):
    content: static[int]
