"""Layers in a stack, and in a tuple."""

from typing import Any, Generic, TypeVar

from codegen.schema import (
    Dim,
    donated,
    dynamic,
    f32,
    field,
    i32,
    impl,
    key,
    share,
    stacked,
    static,
)

layers = Dim(mesh="stage")
width = Dim()
hidden = Dim(mesh="model")
T = TypeVar("T")

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]] = field(init="lecun_normal", spec=(None, "model"))
    b: donated[f32[n_out]] = field(init="zeros")

class Rates:
    rate: dynamic[float] = 0.5

class Block(dims=(n,), draft=True):
    up: donated[Linear[n, hidden]]
    down: donated[Linear[hidden, n]]
    pair: donated[tuple[Linear[n, n], 2]]
    start: donated[f32[n]] = field(init="tests.shapes.impl:ramp")
    rates: dynamic[Rates]
    rng: dynamic[key]
    calls: dynamic[i32] = 0
    heads: static[int] = 2

class Scanned(draft=True):
    blocks: donated[stacked[Block[width], layers]]
    gain: donated[f32[width]] = field(init="normal")

class Unrolled:
    blocks: donated[tuple[Block[width], layers]]
    gain: donated[f32[width]] = field(init="normal")

class Deep:
    blocks: donated[stacked[stacked[Linear[width, 3], 2], layers + 1]]
    one: donated[f32[layers]] = field(init="ones")

class Sized:
    """The number of layers is known before."""

    layers: static[int]
    names: static[tuple[str, layers]]
    blocks: donated[stacked[Linear[width, width], layers] | None]

class Shared:
    encoder: donated[stacked[Linear[width, width], layers]]
    decoder: donated[stacked[Linear[width, width], layers]]
    share(encoder, decoder)

class Box(Generic[T]):
    content: dynamic[T]
    more: dynamic[Any]

class Boxes:
    inside: dynamic[Box[stacked[Linear[width, width], layers]]]
    around: dynamic[stacked[Box[f32[width]], layers]]

class Uninitial:
    blocks: donated[stacked[Box[f32[width]], layers]]
    gain: donated[f32[width]] = field(init="normal")

@impl("tests.shapes.impl:descended")
def descend(model: donated[Scanned], rate: dynamic[f32]) -> Scanned: ...
@impl("tests.shapes.impl:last_layer")
def last_layer(blocks: dynamic[stacked[Block[_], _]]) -> tuple[Block, stacked[Block, _]]: ...
