from enum import Enum

from codegen.schema import Dim, donated, dynamic, f32, reserved, static

nx = Dim()  # cells  # codegen: was[n]

class Scheme(Enum):  # codegen: was[schemes.old:Method]
    EXPLICIT = 1  # codegen: was[EULER]

class Plate:  # codegen: was[Slab, slabs:Slab]
    reserved("dt", "t")

    u: donated[f32[nx]]  # temperature [K]  # codegen: was[temperature, hot]
    scheme: static[Scheme] = Scheme.EXPLICIT

class Glowing(Plate):
    reserved("dim")

    light: dynamic[f32]
