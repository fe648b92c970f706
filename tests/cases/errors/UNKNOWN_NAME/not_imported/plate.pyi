from enum import Enum

from codegen.schema import f32, static

class Plate:
    dx: static[float] = 0.01

class Scheme(Enum):
    EXPLICIT = "explicit"

Field = f32[...]
