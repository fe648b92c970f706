from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto
from typing import Any, ClassVar, Literal

from codegen.schema import Float, Num, bf16, dtype, dynamic, f32, field, frozendict, i32, static

class Scheme(Enum):
    NUMBER = -1.5
    AUTO = auto()
    TEXT = "text"
    PAIR = (1, "a")
    NOTHING = None

class Level(IntEnum):
    LOW = 1
    HIGH = auto()

class Name(StrEnum):
    FIRST = "first"
    SECOND = auto()

class Bits(Flag):
    A = auto()
    B = 2

class Mask(IntFlag):
    A = 1

class Part:
    n: static[int]
    scheme: static[Scheme] = Scheme.TEXT

class Whole:
    part: static[Part] = Part(3, scheme=Scheme.PAIR)
    parts: static[tuple[Part, ...]] = (Part(1), Part(n=2))

class Defaults:
    order: ClassVar[int] = 3  # of the scheme
    names: ClassVar[tuple[str, ...]] = ("a",)
    a: static[int] = -3
    b: static[float] = +1.5e-3
    c: static[complex] = -1 - 2.5j
    d: static[complex] = 2j
    e: static[str] = "text" "joined"
    f: static[bytes] = b"\x00"
    g: static[bool] = True
    h: static[None] = None
    i: static[Level] = Level.HIGH
    j: static[Whole] = Whole(part=Part(1))
    k: static[tuple[int, str]] = (1, "a")
    l: static[tuple[int, ...]] = ()
    m: static[frozenset[int]] = frozenset((1, 2))
    n: static[frozenset[int]] = frozenset()
    o: static[frozendict[str, int]] = frozendict({"a": 1}, b=2)
    p: static[frozendict[Name, Part]] = frozendict({Name.FIRST: Part(1)})
    q: static[frozendict[str, int]] = frozendict()
    qa: static[frozendict[tuple[int, int], int]] = frozendict({(1, 2): 3})
    qb: static[frozendict[frozenset[int], int]] = frozendict({frozenset((1,)): 2})
    qc: static[frozendict[Part, int]] = frozendict({Part(n=1): 2})
    qd: static[frozendict[str, Literal["a", "b"]]] = frozendict({"x": "a"})
    qe: static[frozendict[int | str, int]] = frozendict({"a": 1, 2: 3})
    qf: static[frozendict[int | str, int] | None] = frozendict({"a": 1})
    qg: static[tuple[frozendict[Literal["a"], frozendict[float, int]], ...]] = (
        frozendict({"a": frozendict({1: 2})}),
    )
    r: static[dtype] = bf16
    s: static[dtype] = bool
    t: static[Any] = (1, Scheme.TEXT, frozenset((1,)))
    u: static[Literal["a", "b"]] = "b"
    v: dynamic[f32] = 0
    va: static[f32] = 0.5
    vb: static[i32 | None] = 1
    vc: static[bf16] = 1
    vd: static[bool[...]] = True
    ve: static[tuple[Num, Float[...]]] = (1j, 2)
    w: dynamic[i32 | None] = None
    x: dynamic[float] = 1
    y: dynamic[tuple[f32, f32]] = (0.0, 1.0)
    z: static[int] = field(default=3)
    aa: static[float] = field(default="0.5", convert="heat_model:parsed")
