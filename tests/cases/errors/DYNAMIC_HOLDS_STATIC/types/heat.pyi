from enum import Enum
from typing import Callable, Literal

from codegen.schema import donated, dtype, dynamic, f32, frozendict, impl

class Scheme(Enum):
    EXPLICIT = 1

class Plate:
    name: dynamic[str]
    scheme: dynamic[Scheme]
    source: dynamic[Callable[[f32], f32]]
    dtype: dynamic[dtype]
    mode: donated[Literal["a"]]
    several: dynamic[tuple[f32, str, bytes]]
    numbers: dynamic[frozenset[float]]
    table: dynamic[frozendict[str, f32]]
    either: dynamic[f32 | str]

@impl("heat_model:name")
def name(plate: dynamic[Plate], what: dynamic[str]) -> tuple[f32, str]: ...
