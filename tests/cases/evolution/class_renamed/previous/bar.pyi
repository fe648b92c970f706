from enum import Enum

from codegen.schema import Dim, donated, f32, static

n = Dim()

class Mode(Enum):
    FAST = 1
    SLOW = 2

class Bar:
    u: donated[f32[n]]
    mode: static[Mode]

class Rod:
    bars: donated[tuple[Bar, ...]]
