"""A value of every kind that there is."""

from collections.abc import Callable
from enum import Enum, Flag
from typing import Any, Generic, Literal, TypeVar

from optax import OptState

import tests.checkpoint.foreign
from codegen.schema import (
    Dim,
    Shaped,
    donated,
    dtype,
    dynamic,
    f32,
    field,
    frozendict,
    i32,
    identity,
    impl,
    key,
    share,
    static,
)
from tests.checkpoint.foreign import DOUBLE, Options, Pair, heating

nx = Dim()
ny = Dim()
T = TypeVar("T")

class Scheme(Enum):
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"  # codegen: was[BACKWARD]

class Parts(Flag):
    A = 1
    B = 2

class Grid:
    nx: static[int]
    dx: static[float] = 0.01  # codegen: was[h]

class Statics:
    """One static field of each type."""

    number: static[int] = 0
    real: static[float] = 0.0
    both: static[complex] = 0j
    flag: static[bool] = False
    text: static[str] = ""
    data: static[bytes] = b""
    maybe: static[int | None] = None
    mode: static[Literal["a", 1, True]] = "a"
    scheme: static[Scheme] = Scheme.EXPLICIT
    parts: static[Parts] = Parts.A
    grid: static[Grid] = Grid(nx=1)
    kind: static[dtype] = f32
    table: static[f32[...] | None] = None
    items: static[tuple[int, ...]] = ()
    pair: static[tuple[int, str]] = (0, "")
    names: static[frozenset[str]] = frozenset()
    rates: static[frozendict[str, float] | None] = None
    anything: static[Any] = None
    options: static[Options | None] = None
    duo: static[Pair | None] = None
    source: static[Callable[[f32], f32] | None] = None

class Equal:
    """Defaults that are equal to values of other types."""

    one: static[bool | int] = 1
    none: static[Any] = 0
    items: static[tuple[Any, ...]] = (1, 0)
    names: static[frozenset[Any]] = frozenset({1})
    mode: static[Literal[1, True]] = 1

class Acting:
    """Functions that are told by identity."""

    act: static[identity[Callable[[f32], f32]]] = DOUBLE
    heat: static[identity[Callable[[f32], f32]]] = heating
    anything: static[identity[Any] | None] = None
    rights: static[tests.checkpoint.foreign.Rights | None] = None

class Block:
    w: donated[f32[nx, ny]] = field(init="lecun_normal")
    count: dynamic[i32] = 0

class Weighted(Generic[T]):
    pair: dynamic[tuple[f32, T]]

class State:
    """What a program may hold."""

    blocks: donated[tuple[Block, ...]]
    rng: dynamic[key]
    t: dynamic[float] = 0.0
    extras: dynamic[dict[str, f32[nx]] | None] = None
    anything: dynamic[Any] = None
    optimiser: donated[OptState | None] = None
    statics: static[Statics] = Statics()

class Levels:
    """As many as two dimensions say together."""

    heights: dynamic[tuple[float, nx + ny]]
    equal: static[Equal] = Equal()
    nx: static[int] = 2
    ny: static[int] = 3

class Tied:
    """Two names of one part."""

    encoder: donated[Block]
    decoder: donated[Block]
    share(encoder, decoder)

class Nothing(use="dynamic"):
    pass

class Force(abstract=True):
    k: static[float]

class Spring(Force):
    n: static[int] = 0

class Stiff(Spring): ...

class Damper(Force):
    name: static[str] = ""

class System:
    """Fields that objects of several classes may stand in."""

    force: static[Force]
    forces: static[tuple[Force, ...]] = ()
    spring: static[Spring | None] = None
    either: static[Spring | Damper | None] = None
    named: static[frozendict[str, Force] | None] = None
    number: static[float | int] = 0.0
    text: static[str | bytes] = ""
    anything: static[Any] = None

class Model:
    w: donated[f32[nx]] = field(tag="decays")
    b: donated[f32[nx]]

class Training:
    model: donated[Model]
    optimiser: donated[OptState]

@impl("tests.checkpoint.foreign:descend")
def descend(training: donated[Training]) -> Training: ...

class Searched:
    """What a search puts into a checkpoint."""

    anything: static[Any] = None
    table: static[Shaped[...] | None] = None
    rates: static[frozendict[float, int | str] | None] = None
