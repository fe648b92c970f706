from typing import ClassVar

from codegen.schema import Dim, donated, f32, ref, static

n = Dim()

class Grid:
    a: static
    b: static[int, str]
    c: ClassVar = 3
    d: ClassVar[int]
    e: donated[f32, n]
    f: donated[f32, n, 3]
    g: donated[f32, f32]
    h: ref[f32[n], f32]
