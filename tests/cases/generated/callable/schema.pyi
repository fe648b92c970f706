from collections.abc import Callable

from codegen.schema import f32, static

class Solver:
    source: static[Callable[[f32], f32]]
