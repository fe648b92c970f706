"""A class or two for each construct of the language that has arrays in it, in a folder `_src`."""

from collections.abc import Callable, Mapping, Sequence

import jax

from codegen.schema import (
    Dim,
    donated,
    dynamic,
    f32,
    field,
    frozendict,
    identity,
    impl,
    share,
    stacked,
    static,
)
from tests.constructs.impl import Doubling, Kind, Rounded

n = Dim()
layers = Dim()
outer = Dim()
Vector = f32[n]

class Block(dims=(n,)):
    w: donated[f32[n, n]] = field(init="lecun_normal", tag="decay")
    b: donated[f32[n]] = field(init="zeros")

    @impl("tests.constructs.impl:apply")
    def __call__(self, x: Vector) -> Vector: ...

class Unrolled:
    blocks: donated[tuple[Block[n], layers]]

class Scanned:
    blocks: donated[stacked[Block[n], layers]]

class Stages:
    stages: donated[stacked[Unrolled, outer]]

class Tagged:
    block: donated[Block[n]] = field(tag="block")
    gain: donated[f32[n]] = field(tag=("gain", "decay"))

class Tied:
    first: donated[Block[n]]
    last: donated[Block[n]]
    share(first, last)

class Made:
    w: donated[Vector] = field(factory="tests.constructs.impl:weights")
    table: dynamic[dict[str, f32]] = {}
    items: dynamic[list[f32]] = []

class Chosen:
    x: dynamic[Vector]
    activation: static[Callable[[f32], f32]] = jax.nn.relu
    kind: static[Kind] = Kind.HALF
    rates: static[frozendict[str, float]] = frozendict(a=0.5)

class Same:
    x: dynamic[Vector]
    function: static[identity[Callable[[f32], f32]]]

class Numbers:
    x: dynamic[Vector]
    rate: dynamic[float]

class Positional(kw_only=False):
    x: dynamic[Vector]
    y: dynamic[f32] = 2.0
    z: dynamic[f32] = 3.0

class Layer(use="dynamic"):
    pass

class Identity(Layer):
    pass

class Scale(Layer):
    s: donated[Vector]

class Layers:
    layers: donated[tuple[Layer, ...]]

class Bag:
    parts: dynamic[Sequence[Block[n]]]
    rates: dynamic[Mapping[str, f32]]

class Point:
    x: dynamic[Vector]

    @impl("tests.constructs.impl:added")
    def __add__(self, other: Point) -> Point: ...
    @classmethod
    @impl("tests.constructs.impl:along")
    def along(cls, x: Vector) -> Point: ...
    @staticmethod
    @impl("tests.constructs.impl:halved")
    def halved(x: Vector) -> Vector: ...
    @property
    @impl("tests.constructs.impl:norm")
    def norm(self) -> f32: ...

class Mixed(Doubling, Rounded, eq=False):
    x: dynamic[Vector]

class Transport(abstract=True, use="static"):
    scale: static[float] = 1.0

class Solver:
    model: static[Transport]
    x: dynamic[Vector]

class Law(abstract=True):
    k: donated[Vector]

class World:
    law: donated[Law]
    x: dynamic[Vector]
