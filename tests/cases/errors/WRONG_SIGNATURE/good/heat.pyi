from enum import IntEnum
from typing import Any, Generic, Literal, TypeVar

from codegen.schema import Dim, dynamic, f32, impl, static

n = Dim()
T = TypeVar("T")

class Grid:
    nx: static[int]

    @impl("heat_model:d")
    def d(self, n: int) -> float: ...

    @property
    @impl("heat_model:f")
    def f(self) -> float: ...

class Level(IntEnum):
    LOW = 1

class Base(Generic[T]):
    u: dynamic[f32[n]]

    @impl("heat_model:at")
    def at(self, x: bool, y: int = 0, *, scale: int = 1) -> float | None: ...
    @impl("heat_model:first")
    def first(self, x: T) -> tuple[T, ...]: ...
    @impl("heat_model:all")
    def all(self, x: f32[n]) -> f32[n]: ...
    @impl("heat_model:level")
    def level(self, x: Literal["a"]) -> int: ...
    @impl("heat_model:any")
    def any(self, x: Any) -> int | str: ...
    @property
    @impl("heat_model:size")
    def size(self) -> float: ...

class Sub(Base[int]):
    @impl("heat_model:at")
    def at(self, x: float, y: float = 0.5, more: int = 1, *, scale: float = 2) -> int: ...
    @impl("heat_model:first")
    def first(self, x: float) -> tuple[int, int]: ...
    @impl("heat_model:all")
    def all(self, x: f32) -> f32: ...
    @impl("heat_model:level")
    def level(self, x: Literal["b", "a"]) -> Level: ...
    @impl("heat_model:any")
    def any(self, x: int) -> Literal["a", 1]: ...
    @property
    @impl("heat_model:size")
    def size(self) -> int: ...

class Below(Sub):
    @impl("heat_model:level")
    def level(self, x: str) -> Level: ...

@impl("heat_model:step")
def step(t: dynamic[f32]) -> None: ...
