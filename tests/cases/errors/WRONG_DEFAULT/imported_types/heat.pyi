"""What is imported fits where nobody knows its type without importing it."""

from enum import Enum

import colors
import scipy.constants
from colors import RED, Color
from codegen.schema import Dim, f32, static

n = Dim()

class Own(Enum):
    RED = 1

class Part:
    n: static[int]

class Grid:
    a: static[int] = colors.RED
    b: static[float] = scipy.constants.e
    c: static[Own] = Color.RED
    d: static[tuple[int, ...]] = RED
    e: static[Part] = colors.part
    f: static[f32[n]] = colors.table
    g: static[str | None] = colors.name
    h: static[Part] = Part(n=colors.RED)
