from enum import Enum

from codegen.schema import donated, f32

class Scheme(Enum):
    EXPLICIT = 1
    EXPLICIT = 2

class Linear(dims=(n, n)):
    w: donated[f32[n]]
