from enum import Enum, Flag, IntEnum, auto
from typing import Any, ClassVar, Literal

from codegen.schema import Float, bf16, dtype, dynamic, f32, field, frozendict, i8, static, u8

class Level(Enum):
    LOW = -1.5
    HIGH = auto()
    NAMED = "top"

class Scheme(Enum):
    EXPLICIT = -1
    OTHER = ("a", 2)

class Empty(Enum): ...

class Named(Enum):
    upper = 1
    real = "1"

class Bits(Flag):
    A = auto()
    B = 2
    real = auto()
    BOTH = 3

class Low(Enum):
    A = -1
    B = auto()
    C = 1

class Part:
    n: static[int]
    m: static[int] = 1

class Grid:
    a: static[float] = 1
    b: static[complex] = 1 + 2j
    d: static[Scheme] = Scheme.EXPLICIT
    e: static[Literal["a", "b"]] = "a"
    f: static[tuple[int, ...]] = (-1, 2)
    i: static[frozenset[int]] = frozenset((1, 2))
    j: static[frozendict[str, int]] = frozendict({"b": 1}, a=2)
    k: static[int | None] = None
    l: dynamic[f32] = 1
    m: dynamic[u8] = 255
    n: dynamic[Float[...]] = 0.0
    q: static[dtype] = bf16
    r: static[dtype] = bool
    s: static[tuple[Part, Part]] = (Part(1), Part(n=1, m=-2))
    t: static[Any] = b"bytes"
    u: static[float] = 9007199254740992
    v: dynamic[f32] = 9007199254740993
    w: static[float | int] = 9007199254740993
    x: dynamic[f32] = 3.4028235e38
    y: static[frozenset[str]] = frozenset({"a", "b"})
    z: ClassVar[str] = "z"

class Small(Enum):
    ONE = 1

class Count(IntEnum):
    ONE = 1

class Sets:
    a: static[frozenset[Any]] = frozenset({1, "1", b"1", Small.ONE, (1,), None})
    b: static[frozenset[Part]] = frozenset({Part(1), Part(2), Part(1, m=2)})
    c: static[frozenset[Any]] = frozenset({Count.ONE, 2, frozenset({1})})
    d: static[frozendict[Any, Any]] = frozendict({0: 1, 2: 1, "a": frozenset({1})}, b=frozenset({1}))
    e: static[frozenset[Any]] = frozenset({frozendict(a=1), frozendict(a=True), frozendict(a=1.0)})
    f: static[Part] = field(default="1,2", convert="heat_model:made")
    g: static[Part] = field(default=Part(1), convert="heat_model:made")
