"""Classes with arrays and static values, which hold each other."""

from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

n = Dim()

class Plate:
    u: donated[f32[n]]
    alpha: dynamic[f32] = 1.0
    nx: static[int]
    name: static[str] = "x"

    @impl("tests.generated.impl.methods:mean")
    def mean(self) -> f32: ...

class Twin:
    """The fields of `Plate`, and another class."""

    u: donated[f32[n]]
    alpha: dynamic[f32] = 1.0
    nx: static[int]
    name: static[str] = "x"

class Settings:
    nx: static[int]
    name: static[str] = "x"

class Counter(draft=True):
    """A conversion that must not be made twice, beside an array."""

    x: dynamic[f32] = 0.0
    n: static[int] = field(convert="tests.generated.impl.converters:doubled")

class Tagged:
    x: dynamic[f32]
    tag: static[Any]

class Parts(kw_only=True):
    plate: donated[Plate]
    plates: dynamic[tuple[Plate, ...]] = ()
    settings: static[Settings]
