from typing import Callable

from codegen.schema import dynamic, f32, field, impl, static

class Grid:
    source: static[Callable[[float], float]] = lambda x: x
    other: static[Callable[[float], float]] = field(default=lambda x: x)
    width: static[float] = field(convert=lambda width: abs(width))

@impl("heat_model:step")
def step(x: dynamic[f32], f: static[Callable[[float], float]] = lambda x: x) -> f32: ...
