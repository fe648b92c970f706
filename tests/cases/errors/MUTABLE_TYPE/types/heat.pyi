from typing import ClassVar

from codegen.schema import dynamic, f32, impl, static

class Grid:
    sizes: static[list[int]]
    names: static[dict[str, int]]
    inner: static[tuple[list[int], ...] | None]
    orders: ClassVar[list[int]] = (1, 2)

@impl("heat_model:step")
def step(sizes: static[list[int]]) -> None: ...
