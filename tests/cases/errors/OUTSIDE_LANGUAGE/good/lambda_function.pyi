from typing import Callable

from codegen.schema import static

class Grid:
    source: static[Callable[[float], float] | None] = None
