"""Values that are made anew for each object, and those that are imported."""

from collections.abc import Callable
from typing import Any

import jax

from codegen.schema import Dim, Float, donated, dynamic, f32, field, static
from tests.comfort import impl
from tests.comfort.impl import Kind

from .plates import Cell

n = Dim()

class Made:
    table: dynamic[dict[str, f32]] = {}
    items: dynamic[list[f32]] = []
    anything: dynamic[Any] = {}
    maybe: dynamic[dict[str, f32] | None] = {}
    weights: donated[f32[n]] = field(factory="tests.comfort.impl:ones")
    rates: dynamic[dict[str, f32]] = field(factory="tests.comfort.impl:rates")
    cell: dynamic[Cell] = field(factory="tests.comfort.impl:cell")
    size: static[int] = field(factory="tests.comfort.impl:size", convert="builtins:round")

class Initial:
    weights: donated[f32[n]] = field(factory="tests.comfort.impl:ones")
    scale: donated[f32[n]] = field(factory="tests.comfort.impl:ones", init="zeros")
    kind: donated[Float] = field(factory="tests.comfort.impl:size")
    rates: dynamic[dict[str, f32]] = field(factory="tests.comfort.impl:rates")
    pair: dynamic[tuple[f32[n], ...]] = field(factory="tests.comfort.impl:pair")
    cell: dynamic[Cell] = field(factory="tests.comfort.impl:cell")

class Alone:
    weights: donated[f32[n]] = field(factory="tests.comfort.impl:ones")
    scale: donated[f32[n]] = field(init="zeros")

class Part:
    kind: static[Kind] = Kind.B

class Imported:
    relu: static[Callable[[f32], f32]] = jax.nn.relu
    double: static[Callable[[f32], f32] | None] = impl.double
    kinds: static[tuple[Kind, ...]] = (Kind.A, impl.Kind.B)
    part: static[Part] = Part(kind=Kind.A)
    anything: static[Any] = Kind

class Positional(kw_only=False):
    a: dynamic[f32]
    b: dynamic[f32] = 1.0
    c: dynamic[dict[str, f32]] = {}
    d: static[int] = 3
