"""A class that no object can pass the check of: the laws of the other schemas leave it out."""

from codegen.schema import Dim, dynamic, f32, field

nx = Dim()

class Only:
    """A size that nothing says."""

    half: dynamic[f32[nx // 2]] = field(init="zeros")
