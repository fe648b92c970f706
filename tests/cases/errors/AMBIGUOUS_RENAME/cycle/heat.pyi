from enum import Enum

from codegen.schema import Dim, dynamic, f32

nx = Dim()  # codegen: was[ny]
ny = Dim()  # codegen: was[nz]
nz = Dim()  # codegen: was[nx]

class Scheme(Enum):
    EULER = 1  # codegen: was[RUNGE]
    RUNGE = 2  # codegen: was[HEUN, SIMPSON]
    HEUN = 3
    SIMPSON = 4  # codegen: was[EULER]

class Rod:
    a: dynamic[f32[nx, ny, nz]]  # codegen: was[b]
    b: dynamic[f32[nx, ny, nz]]  # codegen: was[c]
    d: dynamic[f32]  # codegen: was[a]

class Bar(Rod):
    """Only it has all three."""

    c: dynamic[f32]  # codegen: was[d]
    e: dynamic[f32]  # codegen: was[e]

class Beam:  # codegen: was[Girder]
    first: dynamic[f32]

class Girder:  # codegen: was[Mast]
    second: dynamic[f32]

class Mast:  # codegen: was[heat:Beam]
    third: dynamic[f32]
