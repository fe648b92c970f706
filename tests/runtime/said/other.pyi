# Classes that are called as those of another module.

from codegen.schema import dynamic, f32, static

class Part:
    n: static[int]

class Moving:
    x: dynamic[f32]
