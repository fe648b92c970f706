"""Functions that pass on what they are given: arrays, Refs and random keys."""

from typing import Any

from jax import Ref

from codegen.schema import Dim, donated, dynamic, f32, impl, key, u32

n = Dim()

class Cache:
    ref: dynamic[Ref]
    used: donated[f32[n]]
    steps: dynamic[int] = 0

class Part:
    u: donated[f32[n]]

class Whole:
    part: dynamic[Part]
    alpha: dynamic[f32[n]]
    x: donated[f32[n]]
    aside: dynamic[Any] = None
    steps: dynamic[int] = 0

class Seeded:
    rng: donated[key]
    data: dynamic[u32[2] | None] = None
    second: donated[key | None] = None

class Stock:
    first: donated[key]
    keys: donated[Any]

@impl("kept_impl:write")
def write(cache: donated[Cache], x: dynamic[f32[n]]) -> Cache: ...
@impl("kept_impl:moved")
def moved(cache: donated[Cache], x: dynamic[f32[n]]) -> Cache: ...
@impl("kept_impl:outer")
def outer(whole: donated[Whole]) -> Whole: ...
@impl("kept_impl:outer")
def outer_kept(whole: dynamic[Whole]) -> Whole: ...
@impl("kept_impl:consume")
def consume(part: donated[Part]) -> Part: ...
@impl("kept_impl:seeded")
def seed(seeded: donated[Seeded]) -> Seeded: ...
@impl("kept_impl:renewed")
def renew(keys: donated[Any]) -> Any: ...
@impl("kept_impl:both")
def both(rng: donated[key], data: dynamic[u32[2]]) -> tuple[key, u32[2]]: ...
@impl("kept_impl:add")
def add(x: donated[f32[n]], y: dynamic[f32[n]]) -> f32[n]: ...
@impl("kept_impl:anything")
def anything(rng: donated[key], data: dynamic[Any]) -> key: ...
