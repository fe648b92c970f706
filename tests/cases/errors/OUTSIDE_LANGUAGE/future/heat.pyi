from __future__ import annotations
from __future__ import (annotations as notes,
    nope)
from \
    __future__ import braces
from codegen.schema import static

class Grid:
    nx: static[int]  # as `__future__` has no effect on it
