from enum import Enum, IntEnum, StrEnum, auto
from typing import Any, ClassVar

from codegen.schema import field, frozendict, impl, static

class Level(IntEnum):
    LOW = auto()
    HIGH = auto()

class Name(StrEnum):
    RED = "red"

class Set(Enum):
    ONE = frozenset({1, 1.0})
    PAIR = ("a", frozenset({2, 2}))

class Part:
    n: static[float]
    m: static[int] = 3
    of: static[Any] = None

class Grid:
    a: static[frozenset[Any]] = frozenset({1, "1", True, 1.0})
    b: static[frozenset[float]] = frozenset({0.0, 0.5, -0.0})
    c: static[frozenset[Any]] = frozenset({Level.LOW, 1, 2, Level.HIGH})
    d: static[frozenset[Any]] = frozenset({Name.RED, "red"})
    e: static[frozendict[Any, int]] = frozendict({"a": 1, 2: 2, 2.0: 3}, a=4)
    f: static[frozenset[Part]] = frozenset({Part(1), Part(n=1.0, m=3), Part(1, of=True)})
    g: static[tuple[Any, ...]] = (1, (frozenset({(1, 2), (1.0, 2)}),))
    h: static[Part] = Part(1, of=frozenset({b"a", b"a"}))
    i: static[frozenset[Any]] = field(default=frozenset({3, 3}), convert="heat_model:made")
    j: ClassVar[frozenset[int]] = frozenset({1, 1})
    k: static[frozenset[Any]] = frozenset({frozenset({1, 2}), frozenset({2, True})})
    l: static[frozenset[Any]] = frozenset({frozendict(a=1), frozendict(a=1), frozendict(a=True)})
    # Said once: it does not fit either.
    m: static[frozenset[int]] = frozenset({1, True})

@impl("heat_model:step")
def step(x: static[frozenset[int]] = frozenset({1, 1})) -> None: ...
