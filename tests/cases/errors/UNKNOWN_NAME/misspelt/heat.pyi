"""A."""
from codgen.schema import dynamic, static as st, f32

class A:
    """A."""
    x: dynamic[f32]
    n: st[int] = 1
