"""Defaults of other types than declared, which a constructor brings to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from codegen.schema import Dim, dynamic, f32, field

n = Dim()

class Numbers:
    x: dynamic[f32[n]] = field(init="ones")
    a: dynamic[float] = 1
    b: dynamic[complex] = 1
    c: dynamic[float | None] = 1
    d: dynamic[tuple[float, ...]] = (1, 2)
    e: dynamic[f32 | int] = 1
    f: dynamic[int | f32] = 1
    g: dynamic[int | float] = 1.5
    h: dynamic[Any] = 1.0
    i: dynamic[Sequence[f32]] = []
    j: dynamic[Mapping[str, f32]] = {}
    k: dynamic[Sequence[f32]] = (1.0,)

class Factories:
    x: dynamic[f32[n]] = field(init="ones")
    a: dynamic[float] = field(factory="tests.shapes.impl:one")
    b: dynamic[tuple[f32, float]] = field(factory="tests.shapes.impl:pair")
    c: dynamic[dict[str, float]] = field(factory="tests.shapes.impl:table")
    d: dynamic[Sequence[f32]] = field(factory="tests.shapes.impl:several")
    e: dynamic[Mapping[str, f32]] = field(factory="tests.shapes.impl:mapping")
    f: dynamic[dict[int, f32]] = field(factory="tests.shapes.impl:keyed")
    g: dynamic[list[f32]] = field(factory="tests.shapes.impl:weak")
    h: dynamic[f32 | int] = field(factory="tests.shapes.impl:one")
    i: dynamic[f32[n]] = field(factory="tests.shapes.impl:counted")
