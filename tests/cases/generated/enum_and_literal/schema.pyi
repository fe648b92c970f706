from enum import Enum
from typing import Literal

from codegen.schema import static

class Scheme(Enum):
    EXPLICIT = "explicit"

class Solver:
    scheme: static[Scheme] = Scheme.EXPLICIT
    boundary: static[Literal["open", "closed"]]
