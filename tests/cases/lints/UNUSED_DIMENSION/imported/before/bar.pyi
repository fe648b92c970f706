from codegen.schema import dynamic, f32

from .grid import nx, ny

class Bar:
    u: dynamic[f32[nx]]
    v: dynamic[f32[nx]]
