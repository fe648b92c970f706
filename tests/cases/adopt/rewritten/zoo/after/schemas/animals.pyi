"""A class of each library, and tuples."""

from typing import Any

from codegen.schema import Shaped, dynamic, field, identity, static

from zoo.animals import (
    _BearMethods,
    _CubMethods,
    _FoxMethods,
    _KeywordsMethods,
    _LargeMethods,
    _OwlMethods,
    _PackMethods,
    _WolfMethods,
)

class Bear(_BearMethods, kw_only=False):
    """From `zoo.animals.Bear`."""

    weight: dynamic[bool | int | float | None]  # [kg]
    age: dynamic[Shaped[...] | float | None]
    name: static[str | None] = "bear"
    optimizer: static[Any] = None

class Cub(_CubMethods, Bear, kw_only=False):
    """From `zoo.animals.Cub`."""

    mother: dynamic[Any] = None

class Node(kw_only=False):
    """From `zoo.animals.Node`."""

    value: dynamic[bool | int | float | None] = 0
    cubs: dynamic[Any] = ()

class Fox(_FoxMethods, kw_only=True, sort_leaves=True):
    """From `zoo.animals.Fox`."""

    tail: dynamic[Shaped[...] | float | None]
    ears: dynamic[Shaped[...] | float | None]

class Vixen(Fox, kw_only=True, sort_leaves=True):
    """Its leaves are sorted too, and `cubs` is the first."""

    cubs: dynamic[Shaped[...] | float | None]
    shade: dynamic[Any] = 1.0

class Owl(_OwlMethods, kw_only=False):
    """From `zoo.animals.Owl`."""

    wings: dynamic[Shaped[...] | float | None]
    call: static[identity[Any]]
    shape: static[tuple[int, ...]] = field(default=(1,), convert="zoo.animals:to_tuple")

class Wolf(_WolfMethods, kw_only=True, init=False):
    """It has its own constructor."""

    legs: dynamic[Shaped[...] | float | None]
    pups: dynamic[Any]
    names: static[tuple[str, ...]] = field(default=("w",), convert="zoo.animals:to_tuple")

class Pack(_PackMethods, Wolf, kw_only=True, init=False):
    """From `zoo.animals.Pack`."""

    leader: dynamic[Wolf | None]

class Large(_LargeMethods, Pack, kw_only=True, init=False):
    """It inherits the constructor."""

class Cage(kw_only=False):
    """From `zoo.animals.Cage`."""

    bars: static[int | None] = 3
    dtype: static[Any] = field(factory="zoo.animals:_cage_dtype_default")

class House(kw_only=False):
    """From `zoo.animals.House`."""

    cage: static[Cage] = Cage(bars=4)
    names: static[tuple[str, ...]] = ("a", "b")

class Keywords(_KeywordsMethods):
    """From `zoo.animals.Keywords`."""

    x: dynamic[Any]
    y: dynamic[Any] = 1.0
