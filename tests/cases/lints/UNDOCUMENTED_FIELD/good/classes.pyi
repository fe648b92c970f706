"""Fields that something is said about."""

from codegen.schema import dynamic, f32, static

class Grid:
    """Equal cells."""

    dx: static[float]  # [m]

class Bar:
    grid: static[Grid]
    u: dynamic[f32]
    """temperature [K]"""
