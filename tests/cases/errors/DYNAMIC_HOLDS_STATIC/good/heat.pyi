from enum import Enum, IntEnum
from typing import Any, Callable, Literal

from codegen.schema import donated, dtype, dynamic, f32, frozendict, impl, static

class Scheme(Enum):
    EXPLICIT = 1

class Level(IntEnum):
    LOW = 1

class Plate:
    name: static[str]
    scheme: static[Scheme]
    source: static[Callable[[f32], f32]]
    kind: static[dtype]
    mode: static[Literal["a"]]
    table: static[frozendict[str, float]]
    data: dynamic[dict[str, dict[tuple[int, Level], f32]]]
    anything: dynamic[Any]

@impl("heat_model:name")
def name(plate: dynamic[Plate], what: static[str]) -> tuple[f32, Plate | None]: ...
