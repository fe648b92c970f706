from enum import Enum
from typing import Any, Generic

from codegen.schema import dynamic, static

class Scheme(Enum):
    EXPLICIT = 1

class Grid(Generic[T], Bse):
    a: static[Schme]
    b: static[Optional[int]]
    c: static[Scheme] = Scheme.EXPLICT
    d: static[Scheme] = Schema.EXPLICIT
    e: static[Any] = Gird(3)
    f: dynamic[Array]
    f_mask: dynamic[bool_]
    g: static[Quux | np.float32]
    h: static[Any] = undefined
    again: static[Quux]
