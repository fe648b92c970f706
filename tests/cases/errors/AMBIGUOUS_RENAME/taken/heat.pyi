from enum import Enum

from codegen.schema import dynamic, f32

class Scheme(Enum):
    EULER = 1
    HEUN = 2  # codegen: was[EULER]
    RUNGE = 3  # codegen: was[HEUN]

class Rod:  # codegen: was[Bar]
    u: dynamic[f32]

class Bar:
    u: dynamic[f32]

class Kind(Enum):  # codegen: was[Bar]
    FLAT = 1
