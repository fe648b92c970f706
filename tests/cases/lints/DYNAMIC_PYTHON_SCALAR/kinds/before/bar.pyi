"""Donated arrays, arrays of a kind and optional ones are arrays; a default changes nothing."""

from codegen.schema import Dim, Float, donated, dynamic, f32, key, static

n = Dim()

class Plate:
    u: donated[f32[n]]
    v: dynamic[Float[n] | None] = None
    name: static[str] = "plate"
    t: dynamic[float] = 0.0

class Walk:
    seed: dynamic[key]
    count: dynamic[int]
