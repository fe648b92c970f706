"""Members and parameters that are called like the classes that are needed beside them."""

from enum import Enum
from typing import Any, ClassVar, Generic, TypeVar

from codegen.schema import donated, dynamic, f32, impl, static

T = TypeVar("T")

class Mode(Enum):
    FAST = 1

class Material:
    n: static[int]

class Solver:
    Mode: static[Mode]
    mode: static[Mode]
    Material: static[tuple[Material, ...]]
    Plate: dynamic[f32]

class Plate:
    Plate: dynamic[f32]

class Base:
    Mode: dynamic[f32]

class Sub(Base):
    other: static[Mode]

class Constant:
    Mode: ClassVar[Mode] = Mode.FAST

@impl("heat_model:step")
def step(Mode: static[Mode], Base: dynamic[f32], Solver: donated[Solver]) -> Solver: ...

class Grid:
    nx: static[int]

class Defaults:
    Grid: static[int] = 3
    grid: static[Any] = Grid(nx=3)

class Box(Generic[T]):
    T: static[int]
    x: static[T]

class Own:
    Own: static[int]  # nothing in a static class needs it
