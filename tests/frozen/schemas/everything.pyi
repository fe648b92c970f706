"""One class for each kind of type that a schema can declare."""

from collections.abc import Mapping, Sequence
from enum import Enum, Flag, IntEnum
from typing import Any, Generic, Literal, TypeVar

from codegen.schema import (
    Dim,
    Float,
    donated,
    dtype,
    dynamic,
    f32,
    field,
    frozendict,
    i32,
    key,
    share,
    stacked,
    static,
)

from .materials import Material

n = Dim()
m = Dim(mesh="rows")
layers = Dim()
T = TypeVar("T")

Vector = f32[n]

class Scheme(Enum):
    FIRST = 1
    SECOND = "second"

class Level(IntEnum):
    LOW = 1
    HIGH = 2

class Rights(Flag):
    READ = 1
    WRITE = 2

class Statics:
    a: static[int] = 1
    b: static[float] = 0.5
    c: static[bool] = True
    d: static[complex] = 1j
    e: static[str] = "text"
    f: static[bytes] = b"bytes"
    g: static[int | str | None] = None
    h: static[tuple[int, ...]] = (1, 2)
    i: static[tuple[int, str]] = (1, "a")
    j: static[frozenset[str]] = frozenset({"a", "b"})
    k: static[frozendict[str, tuple[int, ...]]] = frozendict({"a": (1,)})
    l: static[dtype] = f32
    m: static[Literal["a", 1, True]] = "a"
    o: static[Scheme] = Scheme.FIRST
    p: static[Level] = Level.HIGH
    q: static[Rights] = Rights.READ
    r: static[Any] = 3
    s: static[Material | None] = None
    t: static[f32[3] | None] = None

class Arrays:
    x: donated[Vector]
    y: dynamic[Float[n, m]]
    count: dynamic[i32] = 0
    random: dynamic[key | None] = None
    tag: dynamic[Vector | None] = field(default=None, tag="decay")

class Containers:
    a: dynamic[list[f32]]
    b: dynamic[dict[str, tuple[f32, ...]]]
    c: dynamic[Sequence[Vector]]
    d: dynamic[Mapping[str, f32]]
    e: dynamic[tuple[float, bool, complex]]
    f: dynamic[Any] = None

class Box(Generic[T]):
    content: dynamic[T]

class Model(abstract=True):
    scale: dynamic[f32] = 1.0

class Linear(Model):
    w: donated[Vector]

class Constant(Model, draft=True):
    value: dynamic[f32] = 2.0
    name: static[str] = "constant"

class Holder:
    model: dynamic[Model]
    box: dynamic[Box[Vector]]
    pair: dynamic[tuple[Constant, Linear] | None] = None

class Layer:
    w: donated[f32[n, n]]

class Net:
    layers: static[int]
    stack: donated[stacked[Layer, layers]]

class Tied:
    embed: donated[Box[Vector]]
    unembed: donated[Box[Vector]]
    share(embed, unembed)

class Registered:
    w: dynamic[Vector]
    depth: static[int] = 2

class Renamed:  # codegen: was[Earlier]
    now: static[int] = 0  # codegen: was[before]
