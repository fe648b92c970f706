from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

T = TypeVar("T")

class Solver(abstract=True):
    steps: static[int]

class Euler(Solver):
    dt: static[float]

class Alone:
    dt: static[float]

class Said(use="static"):
    dt: static[float]

class Held:
    lr: static[float | None] = None

class Boxed:
    lr: static[float]

class Box(Generic[T]):
    inside: static[T]

class State:
    x: dynamic[f32]
    solver: static[Solver]
    several: static[tuple[Held, ...]]
    box: dynamic[Box[Boxed]]
    alone: dynamic[Alone]
