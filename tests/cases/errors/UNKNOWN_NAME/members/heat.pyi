from enum import Enum

from codegen.schema import static

class Scheme(Enum):
    EXPLICIT = 1
    BOTH = 2

class Other(Enum):
    BOTH = 2

class Grid:
    a: static[Scheme] = EXPLICIT
    b: static[Scheme] = BOTH
    c: static[tuple[Scheme, ...]] = (EXPLICIT,)
