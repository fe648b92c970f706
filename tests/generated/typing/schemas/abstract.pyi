"""Abstract classes of every kind, each with a subclass."""

from typing import ClassVar, Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

from tests.generated.impl.mixins import Doubling, Solving, Tagged

n = Dim()
T = TypeVar("T")
U = TypeVar("U")

class Empty(abstract=True):
    """No fields."""

class Full(Empty):
    x: dynamic[f32]

class Model(abstract=True, use="dynamic"):
    """Members of every kind."""

    unit: ClassVar[str] = "m"

    @impl("tests.generated.impl.methods:size")
    def size(self) -> float: ...
    @impl("tests.generated.impl.methods:size")
    def __call__(self) -> float: ...
    @property
    @impl("tests.generated.impl.methods:size")
    def area(self) -> float: ...
    @classmethod
    @impl("tests.generated.impl.methods:size")
    def widest(cls) -> float: ...

class Line(Model):
    length: donated[f32]

class Solver(abstract=True, use="static"):
    """Static fields, with and without defaults."""

    order: static[int]
    steps: static[int] = 10

class Fixed(Solver):
    rate: static[float] = 1.0

class Implicit(Solver, abstract=True):
    """Abstract below an abstract class, with a field."""

    tolerance: static[float] = 1e-6
    steps: static[int] = 20

class Direct(Solver, abstract=True):
    """Abstract below an abstract class, without a field."""

class Newton(Implicit):
    pass

class Gauss(Direct):
    pass

class Clock:
    now: dynamic[f32]

class Stopped(Clock, abstract=True):
    """Abstract below a class that is not."""

class Broken(Stopped):
    pass

class Grid(abstract=True, dims=(n,), draft=True):
    """Dimensions, and a draft."""

    u: donated[f32[n]] = field(init="zeros")

class Ring(Grid, dims=(n,)):
    v: donated[f32[n]] = field(init="zeros")

class Box(Generic[T], abstract=True):
    """A type parameter."""

    item: static[T]
    weight: dynamic[f32] = 0.0

class Crate(Box[T], Generic[T]):
    pass

class Case(Box[str]):
    pass

class Pair(Box[T], Generic[T, U], abstract=True):
    """A type parameter more, below a generic class."""

    other: static[U]

class Twins(Pair[int, str]):
    pass

class Asking(Solving, abstract=True, use="static"):
    """A mixin with an abstract method."""

    steps: static[int] = 10

class Answering(Asking):
    @impl("tests.generated.impl.methods:solve")
    def solve(self, x: float) -> float: ...

class Doubled(Doubling, abstract=True):
    """A mixin."""

    u: dynamic[f32]

class Once(Doubled):
    pass

class DoubledByAMixinAndTaggedWithAnotherOne(Doubling, Tagged[int], Generic[T], abstract=True):
    """Bases that do not fit into a line."""

    u: dynamic[f32]
    tag: static[T]

class Wide(DoubledByAMixinAndTaggedWithAnotherOne[int]):
    pass

class Holder:
    empty: dynamic[Empty]
    solver: static[Solver]
    box: dynamic[Box[int]]
    grid: donated[Grid[n]]
    others: static[tuple[Solver, ...]] = ()

@impl("tests.generated.impl.functions:identity")
def held(model: donated[Model]) -> Model:
    """Functions take abstract classes, too."""
