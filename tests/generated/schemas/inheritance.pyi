"""Bases: abstract, static, narrowed; mixins and type parameters."""

from typing import Any, Callable, Generic, Literal, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

from tests.generated.impl.mixins import Checked, Close, Doubling, Solving, Tagged

from .values import Color

n = Dim()
T = TypeVar("T")

class Shape(abstract=True, use="static"):
    area: static[float] = 1.0

    @impl("tests.generated.impl.methods:size")
    def size(self) -> float: ...

class Square(Shape):
    side: static[float]

class Disc(Shape):
    area: static[float] = 3.0
    radius: static[float]

class Layer(abstract=True, use="dynamic"):
    pass

class Identity(Layer):
    pass

class Scale(Layer):
    w: donated[f32]

class Network(draft=True):
    """Fields of abstract types: which subclass they hold is part of the trace key."""

    shape: static[Shape]
    layer: donated[Layer]
    layers: dynamic[tuple[Layer, ...]] = ()
    shapes: static[tuple[Shape, ...]] = (Square(side=1.0),)
    maybe: static[Shape | None] = None

class Base:
    a: static[int]

class Derived(Base, draft=True):
    """A dynamic class whose base is static."""

    b: dynamic[f32]

class Mode:
    mode: static[str]
    x: dynamic[f32]

class Narrow(Mode, draft=True):
    """A field declared anew, with a narrower type and a default."""

    mode: static[Literal["fast", "slow"]] = "fast"

class Wide(Narrow):
    color: static[Color] = Color.RED

class Sorted(Mode, draft=True, sort_leaves=True):
    """The leaves are in the order of the names, not of the declarations."""

    count: static[int]
    b: donated[f32]
    a: dynamic[f32] = 3.0

class Wave(Doubling, Checked, draft=True):
    """Mixins bring methods and a check."""

    u: dynamic[f32[n]]
    limit: static[int] = 3

class Ripple(Wave):
    """Inherits the check too."""

    phase: static[float] = field(default=0.0)

class Solver(Solving, abstract=True, use="static"):
    """What a mixin asks for, type checkers ask for too."""

    steps: static[int] = 10

class Fixed(Solver):
    @impl("tests.generated.impl.methods:solve")
    def solve(self, x: float) -> float: ...

class Near(Close, eq=False):
    """Equal within what its mixin says."""

    u: dynamic[f32]

class Box(Generic[T]):
    item: static[T]
    value: dynamic[f32]

class Rack:
    """The parameter of what it holds is static there."""

    box: dynamic[Box[int]]

class Named(Box[Color]):
    """The base's parameter is given: a field of its type is checked."""

    name: static[str] = "x"

@impl("tests.generated.impl.functions:identity")
def same(value: dynamic[T]) -> T:
    """Its result is of the type of its argument."""

@impl("tests.generated.impl.functions:paired")
def pair(self: donated[T], change: static[Callable[[T], T]], *, swap: static[bool] = False) -> tuple[T, T]:
    """A parameter may be called `self`, and a function takes types too."""

class Given:
    """What a subclass writes in another way is nothing that type checkers have to be told."""

    sizes: static[tuple[int, ...]] = field(
        default=(1,), convert="tests.generated.impl.converters:as_sizes"
    )
    mode: static[Literal["a", "b"] | int | None] = "a"
    scale: dynamic[int | f32] = 1.0
    anything: dynamic[Any] = None

class Taken(Given):
    sizes: static[tuple[int, ...]] = ()
    mode: static[None | Literal["b", "a"] | int] = 1
    scale: dynamic[f32] = 2.0
    anything: dynamic[f32 | None] = None

class WithLongImports(Tagged[frozenset[int]]):
    boundary_conditions: static[tuple[int, ...]] = field(
        default=(1,),
        convert="tests.generated.impl.converters:as_sizes_of_the_boundary_conditions",
    )
    starting_temperature: dynamic[f32] = field(
        default=0.0,
        init="tests.generated.impl.converters:starting_temperature_of_all_plates",
    )

    @property
    @impl("tests.generated.impl.methods:heat_content_of_all_plates_with_boundaries")
    def content(self) -> float: ...
