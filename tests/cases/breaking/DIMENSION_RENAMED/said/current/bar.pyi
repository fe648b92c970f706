"""Layers."""

from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # rows
m = Dim()  # columns
x = Dim()  # codegen: was[q]
y = Dim()  # codegen: was[p]

class Net:
    a: dynamic[f32[x, y]]  # both
