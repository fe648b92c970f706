from enum import Enum

from codegen.schema import Dim, donated, dynamic, f32

from .slabs import Slab

nx = Dim()  # codegen: was[n]
ny = Dim()  # codegen: was[n]

class Scheme(Enum):
    EULER = 1  # codegen: was[RUNGE]
    RUNGE = 2  # codegen: was[EULER]

class Plate:  # codegen: was[slabs:Slice]
    u: donated[f32[nx, ny]]
    slab: dynamic[Slab]
    scheme: dynamic[f32]
