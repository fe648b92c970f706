"""What the tests of the runtime hold and call."""

from collections.abc import Callable
from enum import Enum
from typing import Any

from codegen.schema import donated, dynamic, f32, frozendict, impl, static

# The functions are in `model.py`.
class Scheme(Enum):
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"

class Grid:
    nx: static[int]
    ny: static[int]
    dx: static[float] = 0.01

class Box:
    """One static field of type `Any`."""

    value: static[Any]

class Functions:
    """Functions as static values."""

    one: static[Callable[..., Any]]
    several: static[tuple[Callable[..., Any], ...]] = ()
    value: static[Any] = None

class Shape(abstract=True, use="static"):
    """An abstract static class."""

class Circle(Shape):
    radius: static[float]

class Square(Shape):
    radius: static[float]

class Settings:
    """Composite static types."""

    sizes: static[tuple[int | str | None, ...]]
    rates: static[frozendict[str, float]]
    table: static[f32[...]]
    shape: static[Shape | None] = None

class Linear:
    w: donated[f32[...]]
    b: dynamic[f32[...]]
    n: static[int] = 1

class Plate:
    """Donated, dynamic, optional, nested, and a tuple of nested."""

    u: donated[f32[...]]
    alpha: dynamic[f32[...]]
    grid: static[Grid]
    first: donated[Linear]
    layers: dynamic[tuple[Linear, ...]] = ()
    extra: dynamic[f32[...] | None] = None
    t: dynamic[f32] = 0.0
    scheme: static[Scheme] = Scheme.EXPLICIT
    source: static[Callable[[f32[...]], f32[...]] | None] = None

class Point:
    """A donated array, another one, and a static number."""

    x: donated[f32[...]]
    y: dynamic[f32[...]]
    n: static[int] = 1

class Bag:
    """Donated containers, with arrays and generated objects in them, and an optional."""

    pair: donated[tuple[Any, ...]]
    named: donated[dict[str, Any]]
    layers: donated[tuple[Linear, ...]]
    extra: donated[f32[...] | None]
    total: dynamic[f32[...]]

@impl("tests.runtime.model:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate."""

@impl("tests.runtime.model:total")
def total(first: dynamic[Linear], second: dynamic[Linear | None] = None) -> f32: ...
@impl("tests.runtime.model:doubled")
def double(bag: donated[Bag]) -> Bag: ...
