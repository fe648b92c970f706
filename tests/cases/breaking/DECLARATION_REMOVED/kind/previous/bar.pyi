from enum import Enum

from codegen.schema import f32

Field = f32

class Scheme(Enum):
    A = 1
