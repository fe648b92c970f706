from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal

from codegen.schema import dynamic, f32

class Scheme(Enum):
    EXPLICIT = 1

class Plate:
    by_array: dynamic[dict[f32, f32]]
    by_scheme: dynamic[dict[Scheme, f32]]
    by_complex: dynamic[dict[tuple[int, complex], str]]
    by_number: dynamic[dict[tuple[int | bool, str], f32]]
    by_literal: dynamic[Mapping[Literal[1, True], f32]]
    by_anything: dynamic[dict[Any, f32]]
    by_float: dynamic[dict[tuple[int, float], f32]]
