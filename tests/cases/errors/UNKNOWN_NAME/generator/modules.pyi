from codegen.schem import Dim, dynamic, static
from codegen.schema.dtypes import f32

n = Dim()

class Plate:
    t: dynamic[f32[n]]
    nx: static[int]
