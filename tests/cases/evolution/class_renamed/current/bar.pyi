from enum import Enum

from codegen.schema import Dim, donated, f32, static

cells = Dim()  # codegen: was[n]

class Speed(Enum):  # codegen: was[Mode]
    QUICK = 1  # codegen: was[FAST]
    SLOW = 2

class Slab:  # codegen: was[Bar]
    u: donated[f32[cells]]
    mode: static[Speed]

class Rod:
    bars: donated[tuple[Slab, ...]]
