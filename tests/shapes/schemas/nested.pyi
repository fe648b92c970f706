"""What nested classes leave open, in every way in which it is hoisted."""

from enum import Enum
from typing import Generic, TypeVar

from codegen.schema import Dim, Float, donated, dynamic, f32, field, i32, key, share, static

from tests.shapes.impl import Checked, State

from .parts import Grid, Linear, Plate

nx = Dim(mesh="rows")
n = Dim()
T = TypeVar("T")

class Mode(Enum):
    FAST = "fast"
    EXACT = "exact"

class Cell(Checked):
    """Has a static field with a default, and an initializer of one's own."""

    x: donated[f32[n]] = field(init="tests.shapes.impl:ramp")
    mode: static[Mode] = Mode.FAST
    name: static[str] = field(default="cell", convert="tests.shapes.impl:upper")

class Sized:
    """Its own static field is the size."""

    n: static[int]
    y: donated[f32[n]] = field(init="normal")

class One:
    cell: donated[Cell]
    sized: donated[Sized]
    z: dynamic[f32[n + 1]] = field(init="uniform")

class Two:
    """Two parts leave something open under one name."""

    left: donated[Cell]
    right: donated[Cell]
    mode: static[str] = "own"

class Plates:
    """What binds a size is left open itself."""

    plate: donated[Plate]
    edge: donated[f32[nx]] = field(init="zeros")

class Deep:
    two: donated[Two]
    cells: donated[tuple[Cell, ...]]
    table: dynamic[dict[str, Cell]]
    pair: dynamic[tuple[Cell, i32] | None] = None

class Node:
    """Objects of it lie in each other."""

    value: donated[f32] = 1.0
    next: donated[Node | None]
    others: donated[list[Node]]

class Tied:
    """Shared parts are made once, and by their owner's initializer."""

    embed: donated[Linear[n, n]]
    coder: donated[Coder]
    again: donated[Linear[n, n]]
    share(embed, coder.embed, again)

class Coder:
    embed: donated[Linear[n, n]]
    bias: dynamic[f32] = 0.5

class Box(Generic[T]):
    content: static[T]
    x: dynamic[f32[n]] = field(init="ones")

class Boxes:
    box: donated[Box[int]]

class Given:
    """What no size tells."""

    state: dynamic[State]
    free: donated[Linear[_, _]]
    wide: dynamic[f32[...]] = 2.0
    x: donated[f32[n]] = field(init="normal")

class Wrong:
    x: donated[f32[n]] = field(init="tests.shapes.impl:wrong_shape")

class WrongDtype:
    x: donated[Float[n]] = field(init="tests.shapes.impl:wrong_dtype")

class Base:
    x: donated[f32[n]] = field(init="normal")
    rng: dynamic[key]

class More(Base):
    """Asks for more than its base does, and has no `init`."""

    grid: static[Grid]
    y: donated[f32[nx]]

class Extra(Base):
    scale: dynamic[f32] = 3.0

class Moved:
    """The fields of `Base` in another order, with another between them."""

    rng: dynamic[key]
    between: donated[f32[n]] = field(init="normal")
    x: donated[f32[n]] = field(init="normal")

class Batch:
    """A field is called as a dimension is."""

    n: dynamic[i32] = 0
    cls: static[int] = 1
    make: static[int] = 2
    x: dynamic[f32[n]] = field(init="zeros")

class Many:
    """Leaves open how many there are."""

    xs: dynamic[tuple[f32[n], ...]]

class Moments:
    mu: dynamic[Many]
    nu: dynamic[Many]

class Trained:
    """What is told apart below stays so."""

    one: dynamic[Many]
    adam: dynamic[Moments]

class Shadowed:
    """A field is called as what a part leaves open."""

    xs: static[int]
    one: dynamic[Many]
