# Static values held in every way there is.

from collections.abc import Callable
from enum import Enum
from typing import Any

from codegen.schema import Dim, dtype, dynamic, f32, frozendict, impl, static

n = Dim()

class Scheme(Enum):
    A = 1
    B = 2

class Holder:
    value: static[Any]

class Middle:
    holder: static[Holder]

class Outer:
    middle: static[Middle]
    other: static[Middle]

class Moving:
    x: dynamic[f32]
    value: static[Any]

class Inner:
    moving: dynamic[Moving]

class Deep:
    inner: dynamic[Inner]
    x: dynamic[f32]

@impl("tests.runtime.oracle_model:run")
def run(x: dynamic[f32], value: static[Any]) -> f32: ...

class OfInt:
    value: static[int]

class OfFloat:
    value: static[float]

class OfComplex:
    value: static[complex]

class OfBool:
    value: static[bool]

class OfStr:
    value: static[str]

class OfBytes:
    value: static[bytes]

class OfOptional:
    value: static[float | None]

class OfOptionalComplex:
    value: static[complex | None]

class OfNumber:
    value: static[int | float | bool | complex | str | bytes | None]

class OfTuple:
    value: static[tuple[complex, ...]]

class OfPair:
    value: static[tuple[float, int | None]]

class OfSet:
    value: static[frozenset[float]]

class OfTable:
    value: static[frozendict[str, float]]

class OfDeep:
    value: static[tuple[tuple[frozenset[float], ...], float | None]]

class OfUnion:
    value: static[tuple[int, ...] | tuple[float, ...] | Holder | Scheme]

class OfDtype:
    value: static[dtype]

class OfArray:
    value: static[f32[n]]

class OfCallable:
    value: static[Callable[[f32], f32] | None]
