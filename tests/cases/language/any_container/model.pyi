from collections.abc import Mapping, Sequence
from typing import Any

from codegen.schema import Dim, donated, dynamic, f32

n = Dim()

class Part:
    w: donated[f32[n]]

class Model(draft=True):
    parts: donated[Sequence[Part]]
    rates: dynamic[Mapping[str, f32[n]]]
    nested: dynamic[Mapping[int, Sequence[float]]] = {}
    several: dynamic[Sequence[f32] | None] = None
    first: dynamic[Sequence[f32]] = ()
    second: dynamic[Sequence[f32]] = []
    anything: dynamic[Mapping[str, Any]] = {}
