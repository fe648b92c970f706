from typing import ClassVar

from codegen.schema import static

class Grid:
    a: static
    b: static[int, str]
    c: ClassVar = 3
    d: ClassVar[int]
