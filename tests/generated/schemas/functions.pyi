"""Jitted functions: every role of argument, and what comes of each."""

from typing import Any, Callable

from codegen.schema import Dim, donated, dynamic, f32, impl, key, static

from .arrays import Linear, Parts, Point, Tagged
from .inheritance import Network
from .plates import Plate
from .shadows import _Hidden
from .values import Color, Force, Grid, Scalars

n = Dim()
m = Dim()

class Tank:
    level: donated[f32[n]]  # [m]
    area: dynamic[f32]  # [m^2]

class Plant:
    """Donated and dynamic fields, nested."""

    cold: donated[Tank]
    hot: dynamic[Tank]
    tanks: donated[tuple[Tank, ...]] = ()
    spare: donated[Tank | None] = None
    gauges: donated[dict[str, f32]]
    name: static[str] = "plant"

    @impl("tests.generated.impl.methods:stop")
    def stop(self) -> None: ...
    @property
    @impl("tests.generated.impl.methods:stop")
    def stopped(self) -> None: ...

@impl("tests.generated.impl.functions:advance")
def advance(plant: donated[Plant], dt: dynamic[f32], n: static[int] = 1) -> Plant:
    """Raise every level by dt, n times."""

@impl("tests.generated.impl.functions:read")
def read(plant: dynamic[Plant]) -> f32:
    """The sum of the levels; nothing is consumed."""

@impl("tests.generated.impl.functions:step")
def step(
    parts: donated[Parts],
    x: dynamic[f32[n]],
    linear: dynamic[Linear[n, m]],
    buffer: donated[f32[n]],
    count: static[int] = 1,
    bias: dynamic[f32 | None] = None,
    *,
    flag: static[bool] = False,
    scalars: static[Scalars | None] = None,
    grid: static[Grid] = Grid(3),
    force: static[Force] = None,
) -> tuple[Parts, f32]:
    """Every kind of argument at once."""

@impl("tests.generated.impl.functions:constant", keep_unused=True)
def constant() -> f32: ...
@impl("tests.generated.impl.functions:first")
def first(a: dynamic[f32[n]], unused: dynamic[f32[n]]) -> f32[n]: ...
@impl("tests.generated.impl.functions:first", keep_unused=True)
def first_of_all(a: dynamic[f32[n]], unused: dynamic[f32[n]]) -> f32[n]: ...
@impl("tests.generated.impl.functions:moved", inline=True)
def move_inline(point: donated[Point], by: dynamic[f32] = 1.0) -> Point: ...
@impl("tests.generated.impl.functions:moved", compiler_options={"xla_embed_ir_in_executable": True})
def move_with_options(point: donated[Point], by: dynamic[f32] = 1.0) -> Point: ...
@impl("tests.generated.impl.functions:moved", compiler_options={"xla_no_such_option": 1})
def move_misspelt(point: donated[Point], by: dynamic[f32] = 1.0) -> Point: ...
@impl("tests.generated.impl.functions:identity")
def pass_on(point: donated[Point]) -> Point: ...
@impl("tests.generated.impl.functions:moved")
def move(point: donated[Point], by: dynamic[f32] = 1.0) -> Point: ...
@impl("tests.generated.impl.functions:tagged")
def tagged(x: dynamic[f32], tag: static[Any]) -> f32:
    """Tells by its trace which tag it was compiled for."""

@impl("tests.generated.impl.functions:tagged_object")
def tagged_object(value: dynamic[Tagged]) -> f32: ...
@impl("tests.generated.impl.functions:kind_of_layer")
def kind_of_layer(network: donated[Network]) -> tuple[Network, f32]: ...
@impl("tests.generated.impl.functions:warm")
def warm(plate: donated[Plate], by: dynamic[float] = 1.0) -> Plate: ...
@impl("tests.generated.impl.functions:applied")
def applied(function: static[Callable[[f32], f32]], x: dynamic[f32]) -> f32: ...
@impl("tests.generated.impl.functions:recolored")
def recolored(color: static[Color], x: dynamic[f32]) -> f32: ...
@impl("tests.generated.impl.functions:noise")
def noise(rng: dynamic[key], like: dynamic[f32[n]]) -> f32[n]: ...
@impl("tests.generated.impl.functions:tree_sum")
def tree_sum(tree: dynamic[Any], extra: dynamic[dict[str, list[f32]]]) -> f32: ...
@impl("tests.generated.impl.lazy:rebuilt")
def rebuilt(plant: dynamic[Plant]) -> Tank:
    """Its module imports the generated package: only a call can import it."""
@impl("tests.generated.impl.functions:nothing")
def nothing(plant: dynamic[Plant]) -> None:
    """What it runs returns nothing."""
@impl("tests.generated.impl.functions:identity")
def hidden(value: dynamic[_Hidden]) -> _Hidden:
    """A class of another module whose name begins with an underscore."""
