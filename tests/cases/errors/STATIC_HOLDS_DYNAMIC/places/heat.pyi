from typing import ClassVar

from codegen.schema import dynamic, f32, frozendict, impl, static

class Part:
    x: dynamic[f32]

class Whole:
    n: static[int]
    part: dynamic[Part]

class Grid:
    direct: static[Part]
    optional: static[Whole | None]
    inside: static[tuple[Part, ...]]
    table: static[frozendict[str, Part]]
    constant: ClassVar[Part | None] = None

@impl("heat_model:step")
def step(part: static[Part]) -> None: ...
