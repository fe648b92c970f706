"""Layers."""

from codegen.schema import Dim, donated, dynamic, f32

n = Dim()  # rows
m = Dim()  # columns
p = Dim()  # points
q = Dim()  # channels

class Lin(dims=(n, m)):
    w: donated[f32[n, m]]  # weights

class Net:
    a: donated[Lin[q, p]]  # layer
    b: dynamic[f32[p]]  # bias
