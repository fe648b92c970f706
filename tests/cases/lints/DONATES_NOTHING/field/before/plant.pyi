from codegen.schema import Dim, donated, f32

from .tank import Tank

n = Dim()

class Plant:
    tanks: donated[tuple[Tank, ...]]
    flow: donated[f32[n]]
    rate: donated[f32[n]]
