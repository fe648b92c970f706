"""Objects with Refs, and functions that write them."""

from codegen.schema import (
    Dim,
    donated,
    dynamic,
    f32,
    field,
    i32,
    impl,
    key,
    ref,
    share,
    stacked,
    static,
)

n = Dim(mesh="rows")
m = Dim()
layers = Dim()

class Cache(draft=True):
    """A cache that is written in place."""

    k: ref[f32[n, m]] = field(init="ones", tag="cache")
    u: donated[f32[n]] = field(init="ones")
    t: dynamic[f32] = 0.0

class Pair(draft=True):
    """Two caches, and a Ref of a key."""

    first: donated[Cache]
    second: dynamic[Cache]
    rng: ref[key]

class Made:
    """A Ref with a default."""

    x: ref[f32[2]] = field(factory="tests.refs.impl:make")
    y: dynamic[f32[2]] = field(init="ones")
    name: static[str] = "a"

class Tied:
    """One Ref in two fields."""

    x: ref[f32[2]]
    y: ref[f32[2]]
    share(x, y)

class Stack:
    """Layers with one Ref each, stacked."""

    blocks: donated[stacked[Cache, layers]]

@impl("tests.refs.impl:step")
def step(cache: donated[Cache], row: dynamic[i32]) -> Cache:
    """Write a row in place, and the array."""

@impl("tests.refs.impl:peek")
def peek(cache: dynamic[Cache]) -> f32[n]: ...
@impl("tests.refs.impl:swap")
def swap(pair: donated[Pair]) -> Pair: ...
@impl("tests.refs.impl:both")
def both(one: donated[Cache], other: donated[Cache]) -> tuple[Cache, Cache]: ...
@impl("tests.refs.impl:bare")
def bare(x: ref[f32[n]], y: ref[f32[n]]) -> None: ...
@impl("tests.refs.impl:count")
def count(x: ref[f32], y: donated[f32]) -> f32: ...
@impl("tests.refs.impl:run")
def run(cache: donated[Cache], what: static[str]) -> Cache:
    """Run one of several implementations."""
