"""A sheet whose temperature is brought to rest by sweeps in place."""

from codegen.schema import Dim, dynamic, f32

nx = Dim()  # cells along x, edges included
ny = Dim()  # cells along y, edges included

class Sheet(draft=True):
    """Temperature of a sheet whose edges are held."""

    u: dynamic[f32[nx, ny]]  # above ambient [K]
