from enum import Enum

from codegen.schema import Dim, dynamic, f32, static

n = Dim()

class Scheme(Enum):  # codegen: was[bar:Scheme]
    EULER = 1

class Beam:  # codegen: was[Girder, bar:Bar]
    u: dynamic[f32[n]]
    scheme: static[Scheme]
