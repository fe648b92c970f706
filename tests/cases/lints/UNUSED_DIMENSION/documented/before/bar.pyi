"""Dimensions with documentation."""

from codegen.schema import Dim, dynamic, f32

# The first.
nx = Dim()
"""cells along x"""

ny = Dim(mesh="cols")  # cells along y
nz = Dim(); nw = Dim()
nt = Dim()  # steps

class Bar:
    history: dynamic[f32[nt]]
    last: dynamic[f32[nt]]
