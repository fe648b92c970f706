"""Everything that may be dynamic or donated."""

from typing import Any

from codegen.schema import (
    Bool,
    Complex,
    Dim,
    Float,
    Inexact,
    Int,
    Num,
    Real,
    Shaped,
    UInt,
    bf16,
    c64,
    donated,
    dtype,
    dynamic,
    f16,
    f32,
    field,
    i8,
    i32,
    impl,
    key,
    stacked,
    static,
    u8,
)

n = Dim(mesh="rows")
m = Dim()
batch = Dim()
layers = Dim()

class Linear(dims=(n, m)):
    """A class that is used at several sizes."""

    w: donated[f32[n, m]] = field(init="lecun_normal", spec=("rows", None))  # weights
    b: donated[f32[m]] = field(init="zeros")

class Layers:
    """Several of one class, in what is called "both forms" """

    scanned: donated[stacked[Linear[n, m], layers]]
    unrolled: dynamic[tuple[Linear[n, m], layers]]

class Kinds:
    """An array of every dtype's name, and of every kind."""

    half: dynamic[f16]
    brain: dynamic[bf16]
    single: dynamic[f32]
    signed: dynamic[i32]
    narrow: dynamic[i8]
    byte: dynamic[u8]
    pair: dynamic[c64]
    truth: dynamic[Bool]
    real: dynamic[Float]
    signed_kind: dynamic[Int]
    unsigned_kind: dynamic[UInt]
    complex_kind: dynamic[Complex]
    inexact: dynamic[Inexact]
    ordered: dynamic[Real]
    number: dynamic[Num]
    shaped: dynamic[Shaped]

class Shapes:
    fixed: dynamic[f32[2, 3]]
    sums: dynamic[f32[n + 1, 2 * m]]
    stack: dynamic[Float[*batch, n]]
    tail: dynamic[Float[..., 3]]
    column: dynamic[f32[n, _]]

class Weak(draft=True):
    """Python scalars, and a key, that are traced."""

    real: dynamic[float] = 1.0
    integer: dynamic[int] = 2
    flag: dynamic[bool] = True
    number: dynamic[complex] = 1j
    rng: dynamic[key]

class Parts(draft=True):
    """Arrays and objects in every container, in each traced role."""

    a: donated[f32[n]]
    b: dynamic[Float[..., 3]]
    maybe: dynamic[f32 | None] = None
    items: dynamic[list[f32]]
    table: donated[dict[str, f32[n]]]
    stack: donated[tuple[f32, ...]]
    record: dynamic[tuple[f32[n], int, Linear[n, m]]]
    anything: dynamic[Any]
    layers: donated[tuple[Linear[n, m], ...]]
    either: dynamic[f32 | Linear[_, _]]
    lent: dynamic[Linear[n, m]]
    own: donated[Linear[n, m] | None] = None
    pairs: dynamic[list[tuple[Linear[n, m], f32]] | None] = None
    size: static[int] = 3
    kind: static[dtype] = f32

    @impl("tests.generated.impl.methods:total")
    def total(self, scale: float = 2.0, *, name: str = "x") -> f32:
        """The sum of `a`, times `scale`."""

    @property
    @impl("tests.generated.impl.methods:Measures.head")
    def head(self) -> tuple[f32, int]:
        """The first item of `a`, and how many there are."""

class Point(draft=True):
    """Small, for transformations."""

    x: donated[f32]
    y: dynamic[f32] = 0.0
    n: static[int] = 1

    @impl("tests.generated.impl.methods:Points.at")
    def __call__(self, factor: f32, *, shift: float = 0.0) -> f32: ...
    @impl("tests.generated.impl.methods:Points.added")
    def __add__(self, other: Point) -> Point: ...
    @impl("tests.generated.impl.methods:Points.shown")
    def __str__(self) -> str: ...
    @classmethod
    @impl("tests.generated.impl.methods:Points.along")
    def along(cls, y: f32) -> Point:
        """A point of the axis."""

    @staticmethod
    @impl("tests.generated.impl.methods:Points.distance")
    def distance(one: Point, other: Point) -> f32: ...

class Twin:
    """The fields of `Point`, and another class."""

    x: donated[f32]
    y: dynamic[f32] = 0.0
    n: static[int] = 1

class Tagged:
    """A dynamic class with a static field of any type."""

    x: dynamic[f32]
    tag: static[Any]
