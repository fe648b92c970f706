"""Classes that `jax.tree_util.register_dataclass` itself registers."""

from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

from tests.generated.impl.mixins import Checked

n = Dim()

class Plate(registration="jax"):
    u: donated[f32[n]]
    alpha: dynamic[f32] = 1.0
    nx: static[int]
    name: static[str] = "x"

    @impl("tests.generated.impl.methods:mean")
    def mean(self) -> f32: ...

class Twin(registration="jax"):
    """The fields of `Plate`, and another class."""

    u: donated[f32[n]]
    alpha: dynamic[f32] = 1.0
    nx: static[int]
    name: static[str] = "x"

class Settings(registration="jax"):
    """A static class, registered the same way."""

    nx: static[int]
    name: static[str] = "x"

class Counter(registration="jax", draft=True):
    """A conversion that must not be made twice, beside an array."""

    x: dynamic[f32] = 0.0
    n: static[int] = field(convert="tests.generated.impl.converters:doubled")

class Tagged(registration="jax"):
    x: dynamic[f32]
    tag: static[Any]

class Parts(kw_only=True, registration="jax"):
    plate: donated[Plate]
    plates: dynamic[tuple[Plate, ...]] = ()
    settings: static[Settings]

class Wave(Checked, registration="jax"):
    u: dynamic[f32[n]]
    limit: static[int] = 3
