from codegen.schema import dynamic, f32

from .b import B

class A:
    b: dynamic[B | None] = None
    x: dynamic[f32]
