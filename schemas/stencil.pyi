"""A sheet whose temperature relaxes to equilibrium by in-place sweeps."""

from codegen.schema import Dim, dynamic, f32

nx = Dim()  # cells along x, edges included
ny = Dim()  # cells along y, edges included

class Sheet(draft=True):
    """Temperature of a sheet with fixed edges."""

    u: dynamic[f32[nx, ny]]  # above ambient [K]
