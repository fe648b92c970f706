"""Layers."""

from codegen.schema import Dim, donated, dynamic, f32

rows = Dim()  # rows
m = Dim()  # columns
points_x = Dim()  # points
q = Dim()  # channels

class Lin(dims=(rows, m)):
    w: donated[f32[rows, m]]  # weights

class Net:
    a: donated[Lin[points_x, q]]  # layer
    b: dynamic[f32[points_x + 1]]  # bias
