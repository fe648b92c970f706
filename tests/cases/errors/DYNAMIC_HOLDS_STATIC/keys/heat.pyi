from enum import Enum

from codegen.schema import dynamic, f32

class Scheme(Enum):
    EXPLICIT = 1

class Plate:
    by_array: dynamic[dict[f32, f32]]
    by_scheme: dynamic[dict[Scheme, f32]]
    by_complex: dynamic[dict[tuple[int, complex], str]]
