"""Layers."""

from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # rows
m = Dim()  # columns
p = Dim()  # points
q = Dim()  # channels

class Net:
    a: dynamic[f32[p, q]]  # both
