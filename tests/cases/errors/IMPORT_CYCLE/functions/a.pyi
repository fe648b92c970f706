"""A module whose function takes a default from the other."""

from enum import Enum

from codegen.schema import dynamic, f32, impl, static

from .b import Norm

class Scheme(Enum):
    EXPLICIT = "explicit"

@impl("a:run")
def run(x: dynamic[f32], norm: static[Norm] = Norm.MAX) -> f32:
    """Run."""
