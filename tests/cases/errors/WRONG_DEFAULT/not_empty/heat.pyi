"""Only `{}` and `[]` are made anew, and of fields alone that are traced."""

from collections.abc import Mapping, Sequence
from typing import Any

from codegen.schema import dynamic, f32, frozendict, impl, static

class Grid:
    a: dynamic[list[f32]] = [1.0]
    b: dynamic[dict[str, f32]] = {"a": 1.0}
    c: dynamic[Any] = [1]
    d: dynamic[list[f32]] = {}
    e: dynamic[f32] = []
    f: static[frozendict[str, int]] = {}
    g: static[Any] = []
    h: dynamic[tuple[list[f32], f32]] = ([], 0.0)
    i: dynamic[Sequence[f32]] = [1]
    j: dynamic[Sequence[f32]] = {}
    k: dynamic[Mapping[str, f32]] = []

@impl("heat_model:step")
def step(rates: dynamic[dict[str, f32]] = {}) -> f32: ...

@impl("heat_model:mean")
def mean(values: dynamic[Sequence[f32]] = []) -> f32: ...
