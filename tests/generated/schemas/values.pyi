"""Every type that may be static, alone, optional and in containers.

A schema that says "caf\u00e9", with a \\ backslash.
"""

from collections.abc import Callable
from enum import Enum, Flag, IntEnum, StrEnum, auto
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from codegen.schema import (
    Bool,
    Dim,
    Float,
    bf16,
    dtype,
    f32,
    field,
    frozendict,
    i32,
    static,
)
from jax.sharding import Mesh, PartitionSpec

from tests.generated.impl.foreign import Config, Pair

n = Dim()
m = Dim(mesh="rows")

Vector = f32[n]
Force: TypeAlias = Callable[[Vector, f32[n, m], Float[..., n + 1]], tuple[Vector, f32]] | None

class Color(Enum):
    """Members whose values need quoting."""

    RED = "red"  # it's "red"
    MIXED = (1, 2.5, "x")

class Level(IntEnum):
    LOW = 1
    HIGH = auto()

class Name(StrEnum):
    QUOTED = "a'\"b"
    PLAIN = "plain"

class Permission(Flag):
    READ = 1
    WRITE = 2

class Empty:
    pass

class Scalars:
    """Every Python scalar, with a docstring that ends in "quotes"."""

    integer: static[int]
    real: static[float]
    flag: static[bool]
    number: static[complex]
    text: static[str]
    data: static[bytes]
    nothing: static[None]

class Choices:
    color: static[Color]
    level: static[Level]
    name: static[Name]
    permission: static[Permission]
    mode: static[Literal["fast", "slow"]]
    mixed: static[Literal["a", 1, True, None]]

class Constants:
    table: static[f32[n, 3]]
    any_shape: static[Float[...]]
    brain: static[bf16[n]]
    mask: static[Bool[n]]
    count: static[i32]

class References:
    function: static[Callable[[Vector], Vector]]
    force: static[Force]
    kind: static[dtype]
    anything: static[Any]

class Foreign:
    """Types of Python, from outside any schema."""

    mesh: static[Mesh]
    spec: static[PartitionSpec]
    config: static[Config]
    pair: static[Pair]
    generator: static[np.random.PCG64 | None] = None

class Containers:
    sizes: static[tuple[int, ...]]
    record: static[tuple[int, str, Color]]
    names: static[frozenset[str]]
    rates: static[frozendict[str, tuple[float, ...]]]
    either: static[int | str]
    wide: static[float | bool | str | None]
    nested: static[tuple[tuple[Empty, ...], int | None]]
    tables: static[tuple[f32[...], ...]]

class Optionals:
    integer: static[int | None]
    real: static[float | None]
    flag: static[bool | None]
    number: static[complex | None]
    text: static[str | None]
    data: static[bytes | None]
    color: static[Color | None]
    mode: static[Literal["fast", "slow"] | None]
    table: static[f32[n] | None]
    function: static[Callable[[f32], f32] | None]
    kind: static[dtype | None]
    empty: static[Empty | None]
    sizes: static[tuple[int, ...] | None]

class Defaults(kw_only=True):
    """Every kind of default."""

    integer: static[int] = -3
    zero: static[float] = -0.0
    small: static[float] = 1e-5
    huge: static[float] = 1e99
    number: static[complex] = 1 + 2j
    text: static[str] = 'it\'s "x" \u00e9 \n'
    data: static[bytes] = b"\x00'\""
    color: static[Color] = Color.MIXED
    kind: static[dtype] = bf16
    sizes: static[tuple[int, ...]] = (1, 2, 3)
    names: static[tuple[str, ...]] = ("a",)
    chosen: static[frozenset[int]] = frozenset((1, 2))
    rates: static[frozendict[str, int]] = frozendict({"a": 1})
    more: static[frozendict[str, int]] = frozendict(b=2)
    empty: static[Empty] = Empty()
    nothing: static[int | None] = None
    ORDER: ClassVar[int] = 2
    NAMES: ClassVar[tuple[str, ...]] = ("one", "two")
    RATE: ClassVar[float] = 1
    WAVES: ClassVar[complex | None] = 2
    EITHER: ClassVar[float | int] = 1
    RATES: ClassVar[frozendict[float, tuple[float, int]]] = frozendict({1: (2, 3)})
    KIND: ClassVar[dtype] = f32
    KINDS: ClassVar[tuple[dtype | None, Any]] = (bf16, f32)

class Converted:
    """Values that go through a function of the author's first."""

    sizes: static[tuple[int, ...]] = field(
        default=(1,), convert="tests.generated.impl.converters:as_sizes"
    )
    text: static[str] = field(convert="tests.generated.impl.converters:Text.stripped")

class Doubled:
    """A conversion that must not be made twice."""

    n: static[int] = field(default=1, convert="tests.generated.impl.converters:doubled")
    m: static[int] = 0  # left alone

class Grid:
    """A static class to nest."""

    nx: static[int]  # cells along x
    ny: static[int] = 4  # cells along y
    dx: static[float] = 0.5  # cell size [m]

class Nested:
    grid: static[Grid]
    grids: static[tuple[Grid, ...]] = (Grid(1), Grid(2, dx=1.0))
