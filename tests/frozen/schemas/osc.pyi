"""Oscillators: another package holds objects of this one (tests/packages)."""

from codegen.schema import Dim, donated, f32, static

n = Dim()

class Osc(draft=True):
    x: donated[f32[n]]
    v: donated[f32[n]]
    rate: static[float] = 1.0
