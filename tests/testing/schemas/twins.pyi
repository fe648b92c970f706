"""Two classes with the same fields, which a test makes one."""

from codegen.schema import dynamic, f32, static

class One:
    x: dynamic[f32]
    n: static[int] = 1

class Two:
    x: dynamic[f32]
    n: static[int] = 1
