"""A class of another module with the same name, whose path ends in the same way."""

from codegen.schema import Dim, dynamic, f32

p = Dim()
q = Dim()

class Dense(dims=(p, q)):
    """From p to q."""

    w: dynamic[f32[p, q]]
