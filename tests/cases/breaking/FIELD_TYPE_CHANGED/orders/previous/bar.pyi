from typing import Literal

from codegen.schema import Dim, dynamic, f32, static

n = Dim()
m = Dim()

class Bar:
    truth: static[Literal[0, 1]]
    difference: dynamic[f32[n - 1]]
    half: dynamic[f32[n // 2]]
    bracket: dynamic[f32[(n + 1) * 2]]
    sizes: dynamic[f32[n, m]]
