"""What is compared by identity, and numbers of which there may be many."""

from collections.abc import Callable
from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, identity, static

n = Dim()

class Config:
    client: static[identity[Any]]
    sizes: static[tuple[int, ...]] = ()

class Model(kw_only=False):
    w: donated[f32[n]]
    function: static[identity[Callable[[f32[n]], f32[n]]]]
    config: static[Config | None] = None
    several: static[tuple[identity[Any], ...]] = ()
    either: static[int | identity[list[int]]] = 1

class Weights:
    rate: dynamic[float]
    count: dynamic[int] = 1
    rates: dynamic[dict[str, float]] = {}
    w: donated[f32[n]]
