from typing import TypeAlias

from codegen.schema import f32, static

Field: TypeAlias = f32[3]

class Grid:
    nx: static[int] = 3
