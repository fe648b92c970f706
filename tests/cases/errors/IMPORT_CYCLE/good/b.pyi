from codegen.schema import dynamic, f32

from .a import A

class B:
    a: dynamic[A | None] = None
    x: dynamic[f32]
