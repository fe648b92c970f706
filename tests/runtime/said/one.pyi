# Whatever is given for these fields is told what to declare or to write.

from enum import Enum

from codegen.schema import Dim, dynamic, f32, frozendict, impl, static

from .other import Moving as OtherMoving
from .other import Part as OtherPart

n = Dim()

class Scheme(Enum):
    ZERO = "zeroth"
    FIRST_ORDER = 1

class Part:
    n: static[int]

class Moving:
    x: dynamic[f32]

class Said:
    scheme: static[Scheme] = Scheme.ZERO
    flag: static[bool] = False
    count: static[int] = 0
    size: static[float] = 0.0
    name: static[str] = ""
    data: static[bytes] = b""
    sizes: static[tuple[int, ...]] = ()
    names: static[frozenset[str] | None] = None
    rates: static[frozendict[str, int] | None] = None
    both: static[int | tuple[int, ...] | Scheme] = 0
    part: static[Part] = Part(n=0)
    parts: static[Part | OtherPart | None] = None

class Holder:
    x: dynamic[f32[n]]
    moving: dynamic[Moving | None] = None
    either: dynamic[Moving | OtherMoving | None] = None
    several: dynamic[tuple[f32, ...]] = ()

@impl("tests.runtime.test_advice:first")
def run(x: dynamic[f32[n]], count: static[int] = 0) -> f32[n]: ...
