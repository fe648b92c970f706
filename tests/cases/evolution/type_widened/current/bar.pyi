from typing import Literal

from codegen.schema import dynamic, f32, static

class Bar:
    a: static[int | None]
    b: static[Literal["x", "y"]]
    c: dynamic[f32[3] | None]
