from collections.abc import Callable
from typing import Any

import jax
import materials.metals
from codegen.schema import Dim, Float, dynamic, f32, field, static
from jax.numpy import tanh
from materials.woods import Grain

n = Dim()

class Part:
    wood: static[Grain] = Grain.STRAIGHT

class Made:
    table: dynamic[dict[str, f32]] = {}
    items: dynamic[list[f32 | None]] = []
    maybe: dynamic[dict[int, f32] | None] = {}
    state: dynamic[Any] = field(default={})
    weights: dynamic[f32[n]] = field(factory="heat_model:ones")
    rate: dynamic[Float] = field(factory="heat_model:Rates.first", init="ones")
    name: static[str] = field(factory="heat_model:name")
    size: static[int] = field(factory="heat_model:size", convert="heat_model:rounded")
    relu: static[Callable[[f32], f32]] = jax.nn.relu
    tanh: static[Callable[[f32], f32] | None] = tanh
    metal: static[materials.metals.Alloy] = materials.metals.STEEL
    woods: static[tuple[Grain, ...]] = (Grain.STRAIGHT, Grain.WAVY)
    part: static[Part] = Part(wood=Grain.WAVY)
    anything: static[Any] = Grain

class Positional(kw_only=False):
    a: dynamic[f32]
    b: dynamic[f32] = 1.0
    c: dynamic[dict[str, f32]] = {}
    d: static[int] = 3
