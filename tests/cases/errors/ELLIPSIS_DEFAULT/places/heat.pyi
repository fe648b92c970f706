from enum import Enum
from typing import ClassVar

from codegen.schema import dynamic, f32, field, impl, static

class Scheme(Enum):
    EXPLICIT = ...

class Grid:
    order: ClassVar[int] = ...
    nx: static[int] = ...
    dx: static[float] = field(default=...)
    sizes: static[tuple[int, ...]] = (1, ...)

    @impl("heat_model:area")
    def area(self, scale: float = ...) -> float: ...

@impl("heat_model:step")
def step(t: dynamic[f32], n: static[int] = ...) -> f32: ...
