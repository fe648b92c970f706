from typing import Literal

from codegen.schema import Dim, dynamic, f32, static

n = Dim()
m = Dim()

class Bar:
    truth: static[Literal[False, True]]
    difference: dynamic[f32[1 - n]]
    half: dynamic[f32[2 // n]]
    bracket: dynamic[f32[n + 1 * 2]]
    sizes: dynamic[f32[n, m]]
