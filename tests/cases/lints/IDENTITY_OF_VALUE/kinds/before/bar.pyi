from enum import Enum
from typing import Literal

from codegen.schema import dtype, f32, identity, static

class Kind(Enum):
    A = 1

class Grid:
    nx: static[int]

class Bar:
    a: static[identity[int | None]]
    b: static[tuple[identity[Grid], identity[Kind]]]
    c: static[identity[dtype]]
    d: static[identity[Literal["a"]]]
    e: static[identity[tuple[float, ...]]]
    f: static[identity[f32]]
