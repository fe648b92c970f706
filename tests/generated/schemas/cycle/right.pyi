"""A module that needs `left`, which needs it."""

from codegen.schema import dynamic, f32, static

from .left import Left

class Params:
    x: static[int]

class Right(Left):
    c: dynamic[f32]

class Alone:
    left: dynamic[Left]
    lefts: dynamic[tuple[Left, ...]]
