"""Layers."""

from codegen.schema import Dim, dynamic, f32

n = Dim()  # rows
m = Dim()  # columns

class Base(dims=(n, m)):
    w: dynamic[f32[n, m]]  # weights

class Lin(Base[n, m], dims=(n, m)): ...
