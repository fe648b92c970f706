from codegen.schema import Dim, dynamic, f32

_rt = Dim()

class Rod:
    u: dynamic[f32[_rt]]
