from enum import Enum

from codegen.schema import Dim, dynamic, f32, static

n = Dim()

class Scheme(Enum):
    EULER = 1

class Bar:
    u: dynamic[f32[n]]
    scheme: static[Scheme]

class Rod:
    bar: dynamic[Bar]
