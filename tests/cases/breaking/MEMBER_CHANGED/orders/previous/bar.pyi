"""Layers."""

from codegen.schema import Dim, f32, impl

n = Dim()  # rows
m = Dim()  # columns

class Lin(dims=(n, m)):
    @impl("model:apply")
    def apply(self, x: f32[n]) -> f32[m]: ...
