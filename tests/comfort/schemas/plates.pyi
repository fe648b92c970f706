"""Objects that are printed, compared and filled."""

from enum import Enum
from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, key, share, static

n = Dim()

class Scheme(Enum):
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"

class Grid:
    nx: static[int] = 4
    ny: static[int] = 4

class Settings:
    grid: static[Grid] = Grid()
    table: static[f32[n] | None] = None
    scheme: static[Scheme] = Scheme.EXPLICIT
    anything: static[Any] = None

class Cell:
    u: donated[f32[n]]
    bias: dynamic[f32] = 0.0

class Plate:
    u: donated[f32[n, n]]
    cell: donated[Cell]
    named: dynamic[dict[str, Cell]]
    cells: dynamic[tuple[Cell, ...]] = ()
    maybe: dynamic[Cell | None] = None
    rng: dynamic[key | None] = None
    t: dynamic[f32] = 0.0
    anything: dynamic[Any] = None
    settings: static[Settings] = Settings()
    name: static[str] = "plate"

class Tied:
    cell: donated[Cell]
    other: donated[Cell]
    self: dynamic[f32] = 0.0
    leaf: dynamic[f32] = 0.0
    share(cell, other)

class Pair:
    cell: donated[Cell]
    bias: dynamic[f32]

class Holds:
    cell: donated[Cell]
    pair: donated[Pair]
    share(cell, pair.cell)

class One:
    cell: donated[Cell]

class Lends:
    cell: donated[Cell]
    only: donated[One]
    share(cell, only.cell)

class Tree:
    kids: donated[tuple[Tree, ...]] = ()
