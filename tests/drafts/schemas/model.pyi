"""What drafts are made of: arrays, keys, numbers, parts and containers."""

from typing import Any, Generic, TypeVar

from codegen.schema import (
    Bool,
    Dim,
    Float,
    bf16,
    donated,
    dynamic,
    f32,
    i32,
    i64,
    impl,
    key,
    share,
    static,
)

from .late import Late

n = Dim()
m = Dim()
T = TypeVar("T")

class Grid:
    nx: static[int]

class State(draft=True):
    """A field, a clock, a counter and a stream of keys."""

    u: donated[f32[n]]
    t: dynamic[f32] = 0.0
    count: dynamic[i32] = 0
    rng: dynamic[key]
    size: static[int] = 3

class Trainer(draft=True):
    """A field, and keys and counters in parts."""

    state: donated[State]
    scale: dynamic[f32] = 1.0

class Run(draft=True):
    trainer: donated[Trainer]

class Loop(draft=True):
    """What goes round in the nested loops of the tests; a vmap adds an axis to all of it."""

    u: dynamic[f32[...]]
    t: dynamic[f32[...]]
    count: dynamic[i32[...]]
    outer_end: dynamic[i32[...]]
    inner_end: dynamic[i32[...]]
    rng: dynamic[key[...]]

class Streams(draft=True):
    """Two streams of keys."""

    dropout: dynamic[key]
    noise: dynamic[key]

class Keys(draft=True):
    """Keys that are many, or may be none."""

    many: dynamic[key[n]]
    maybe: dynamic[key | None] = None

class Wide(draft=True):
    """What has 64 bits where JAX has them."""

    count: donated[i64]

class Counter(draft=True):
    """Numbers, which JAX has as weakly typed scalars."""

    whole: dynamic[int] = 0
    real: dynamic[float] = 0.0
    flag: dynamic[bool] = False
    maybe: dynamic[int | None] = None

class Arrays(draft=True):
    """Arrays of several dtypes."""

    real: dynamic[f32[n, m]]
    whole: dynamic[i32[n, m]]
    mask: dynamic[Bool[n, m]]
    half: dynamic[bf16[n]]
    any_float: dynamic[Float[...]]
    maybe: dynamic[f32[n] | None] = None
    number: dynamic[float] = 0.0

class Linear(draft=True):
    w: donated[f32[n]]
    b: dynamic[f32] = 0.0
    width: static[int] = 1

class Bilinear(Linear):
    """A subclass: a field of its own, and one with another default."""

    v: dynamic[f32[n]]
    b: dynamic[f32] = 1.0

class Layer(abstract=True, use="dynamic", draft=True):
    scale: dynamic[f32] = 1.0

class Shift(Layer):
    by: dynamic[f32] = 0.0

class Stretch(Layer):
    pass

class Model(draft=True):
    """Parts, alone and in containers."""

    first: donated[Linear]
    layers: donated[tuple[Linear, ...]] = ()
    several: dynamic[list[Linear]]
    named: dynamic[dict[str, Linear]]
    arrays: dynamic[dict[str, f32[n]]]
    pair: dynamic[tuple[f32, Linear] | None] = None
    extra: dynamic[Linear | None] = None
    layer: dynamic[Layer]
    anything: dynamic[Any]
    grid: static[Grid]

class Holder(draft=True):
    """Narrowed in a subclass."""

    part: dynamic[Linear]

class NarrowHolder(Holder):
    part: dynamic[Bilinear]

class Mixed(draft=True):
    """Objects beside arrays."""

    pair: donated[tuple[Linear, f32]]
    table: dynamic[dict[str, Linear | f32]]

class Tree(draft=True):
    """A class that holds itself."""

    value: dynamic[f32]
    children: dynamic[tuple[Tree, ...]] = ()
    late: dynamic[Late | None] = None

class Box(Generic[T], draft=True):
    item: dynamic[T]
    value: dynamic[f32] = 0.0

class Boxes(draft=True):
    box: dynamic[Box[Any]]

class Table(draft=True):
    rows: donated[f32[n]]

class Coder(draft=True):
    table: donated[Table]
    bias: dynamic[f32] = 0.0

class Tied(draft=True):
    table: donated[Table]
    encoder: donated[Coder]
    decoder: donated[Coder]
    share(table, encoder.table, decoder.table)

class Outer(draft=True):
    """Shares through a class that itself shares."""

    table: donated[Table]
    tied: donated[Tied]
    share(table, tied.encoder.table)

class Forest(draft=True):
    trees: dynamic[tuple[Outer, ...]]

class Pair(draft=True):
    """Shares an array."""

    u: donated[f32[n]]
    linear: donated[Linear]
    share(u, linear.w)

class Stream(draft=True):
    rng: donated[key]

@impl("tests.drafts.impl:drawn")
def drawn(stream: donated[Stream]) -> Stream:
    """Uses up a key."""

@impl("tests.drafts.impl:advance")
def advance(state: donated[State], dt: dynamic[f32]) -> State:
    """A step of a generated function."""
