"""A union of two classes of one name."""

from codegen.schema import Dim, dynamic, f32

from .deep.unions import Dense as Deep
from .generics import Box
from .unions import Dense

n = Dim(mesh="rows")
m = Dim()
k = Dim(mesh="cols")

class Twins:
    one: dynamic[Dense[n, m] | Deep[k, m]]
    x: dynamic[f32[k]]

class Boxed:
    """What is in a box may be of another package."""

    one: dynamic[Box[Dense[n, m] | Deep[k, m]]]
    x: dynamic[f32[k]]
