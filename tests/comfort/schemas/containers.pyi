"""Any sequence, and any mapping."""

from collections.abc import Mapping, Sequence

from codegen.schema import Dim, donated, dynamic, f32, impl

from .plates import Cell

n = Dim()

class Bag(draft=True, kw_only=False):
    cells: donated[Sequence[Cell]]
    rates: dynamic[Mapping[str, f32]]
    nested: dynamic[Mapping[int, Sequence[float]]] = {}
    several: dynamic[Sequence[f32[n]] | None] = None

@impl("tests.comfort.impl:scaled")
def scaled(
    rates: dynamic[Mapping[str, f32]], cells: donated[Sequence[f32[n]]]
) -> Sequence[f32[n]]: ...
