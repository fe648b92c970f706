from typing import Literal

from codegen.schema import dynamic, f32, static

class Bar:
    a: static[int]
    b: static[Literal["x"]]
    c: dynamic[f32[3]]
