# pyright: reportPrivateUsage=false
"""A module as the generator writes it, by hand."""

import dataclasses
import enum
from abc import ABC
from collections.abc import Callable
from math import isnan
from typing import Any, Final, Self

import numpy as np
from jax import Array
from jax.tree_util import register_dataclass as register_with_jax
from jax.typing import ArrayLike

from codegen.runtime.call.functions import Bound, Function
from codegen.runtime.classes.arrays import (
    CONVERTED,
    as_argument,
    as_array,
    as_part,
    dynamic_part,
    dynamic_tuple,
)
from codegen.runtime.classes.bases import Pytree, Static
from codegen.runtime.classes.registration import adopt_dataclass, register_dataclass
from codegen.runtime.classes.sentinel import KEEP, Keep
from codegen.runtime.classes.split import split
from codegen.runtime.frozendict import frozendict
from codegen.runtime.keys.constants import as_constant, constant_tag
from codegen.runtime.keys.conversion import as_callable, as_enum, as_float, as_instance, as_int
from codegen.runtime.keys.interning import TraceKey, intern_key
from codegen.runtime.keys.tags import as_static, float_tag
from codegen.runtime.statics.composites import (
    Converter,
    static_float,
    static_frozendict,
    static_int,
    static_none,
    static_str,
    static_tuple,
    static_union,
)


class Scheme(enum.Enum):
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Grid(Static):
    __slots__ = ("dx", "nx", "ny")

    nx: int
    ny: int
    dx: float

    def __init__(self, nx: int, ny: int, *, dx: float = 0.01) -> None:
        key = _codegen_key_grid(type(self), nx, ny, dx)
        _codegen_fill_grid(self, key)

    def replace(
        self, *, nx: int | Keep = KEEP, ny: int | Keep = KEEP, dx: float | Keep = KEEP
    ) -> Self:
        return type(self)(
            nx=self.nx if nx is KEEP else nx,
            ny=self.ny if ny is KEEP else ny,
            dx=self.dx if dx is KEEP else dx,
        )


def _codegen_key_grid(cls: type[Grid], nx: int, ny: int, dx: float) -> TraceKey:
    if type(nx) is not int:
        nx = as_int(nx, cls, "nx")
    if type(ny) is not int:
        ny = as_int(ny, cls, "ny")
    if type(dx) is not float or isnan(dx):
        dx = as_float(dx, cls, "dx")
    return intern_key(cls, (nx, ny, float_tag(dx)), (nx, ny, dx))


def _codegen_fill_grid(obj: Grid, key: TraceKey, children: tuple[()] = ()) -> None:
    set_field = object.__setattr__
    nx, ny, dx = key.values
    set_field(obj, "nx", nx)
    set_field(obj, "ny", ny)
    set_field(obj, "dx", dx)
    set_field(obj, "__codegen_key__", key)


def _codegen_flatten_grid(obj: Grid) -> tuple[tuple[()], TraceKey]:
    return (), obj.__codegen_key__


register_dataclass(
    Grid,
    data_fields=[],
    meta_fields=["nx", "ny", "dx"],
    flatten=_codegen_flatten_grid,
    fill=_codegen_fill_grid,
    key=_codegen_key_grid,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Box(Static):
    """One static field of type `Any`."""

    __slots__ = ("value",)

    value: Any

    def __init__(self, value: Any) -> None:
        _codegen_fill_box(self, _codegen_key_box(type(self), value))


def _codegen_key_box(cls: type[Box], value: Any) -> TraceKey:
    value, value_tag = as_static(value, cls, "value")
    return intern_key(cls, (value_tag,), (value,))


def _codegen_fill_box(obj: Box, key: TraceKey, children: tuple[()] = ()) -> None:
    (value,) = key.values
    object.__setattr__(obj, "value", value)
    object.__setattr__(obj, "__codegen_key__", key)


register_dataclass(
    Box,
    data_fields=[],
    meta_fields=["value"],
    flatten=lambda obj: ((), obj.__codegen_key__),
    fill=_codegen_fill_box,
    key=_codegen_key_box,
)


class Shape(Static, ABC):
    """An abstract static class."""

    __slots__ = ()


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Circle(Shape):
    __slots__ = ("radius",)

    radius: float

    def __init__(self, radius: float) -> None:
        _codegen_fill_circle(self, _codegen_key_circle(type(self), radius))


def _codegen_key_circle(cls: type[Circle], radius: float) -> TraceKey:
    if type(radius) is not float or isnan(radius):
        radius = as_float(radius, cls, "radius")
    return intern_key(cls, (float_tag(radius),), (radius,))


def _codegen_fill_circle(obj: Circle, key: TraceKey, children: tuple[()] = ()) -> None:
    (radius,) = key.values
    object.__setattr__(obj, "radius", radius)
    object.__setattr__(obj, "__codegen_key__", key)


register_dataclass(
    Circle,
    data_fields=[],
    meta_fields=["radius"],
    flatten=lambda obj: ((), obj.__codegen_key__),
    fill=_codegen_fill_circle,
    key=_codegen_key_circle,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Square(Shape):
    __slots__ = ("radius",)

    radius: float

    def __init__(self, radius: float) -> None:
        _codegen_fill_square(self, _codegen_key_square(type(self), radius))


def _codegen_key_square(cls: type[Square], radius: float) -> TraceKey:
    if type(radius) is not float or isnan(radius):
        radius = as_float(radius, cls, "radius")
    return intern_key(cls, (float_tag(radius),), (radius,))


def _codegen_fill_square(obj: Square, key: TraceKey, children: tuple[()] = ()) -> None:
    (radius,) = key.values
    object.__setattr__(obj, "radius", radius)
    object.__setattr__(obj, "__codegen_key__", key)


register_dataclass(
    Square,
    data_fields=[],
    meta_fields=["radius"],
    flatten=lambda obj: ((), obj.__codegen_key__),
    fill=_codegen_fill_square,
    key=_codegen_key_square,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Settings(Static):
    """Composite static types."""

    __slots__ = ("rates", "shape", "sizes", "table")

    sizes: tuple[int | str | None, ...]
    rates: frozendict[str, float]
    table: np.ndarray[Any, Any]
    shape: Shape | None

    def __init__(
        self,
        sizes: tuple[int | str | None, ...],
        rates: frozendict[str, float],
        table: np.ndarray[Any, Any],
        *,
        shape: Shape | None = None,
    ) -> None:
        key = _codegen_key_settings(type(self), sizes, rates, table, shape)
        _codegen_fill_settings(self, key)


_codegen_settings_sizes: Final[Converter[tuple[int | str | None, ...]]] = static_tuple(
    static_union(static_int, static_str, static_none)
)
_codegen_settings_rates: Final[Converter[frozendict[str, float]]] = static_frozendict(
    static_str, static_float
)


def _codegen_key_settings(
    cls: type[Settings],
    sizes: tuple[int | str | None, ...],
    rates: frozendict[str, float],
    table: np.ndarray[Any, Any],
    shape: Shape | None,
) -> TraceKey:
    sizes, sizes_tag = _codegen_settings_sizes.convert(sizes, cls, "sizes")
    rates, rates_tag = _codegen_settings_rates.convert(rates, cls, "rates")
    table = as_constant(table, "float32", cls, "table")
    if shape is not None:
        shape = as_instance(shape, Shape, cls, "shape")
    tag = (
        sizes_tag,
        rates_tag,
        constant_tag(table),
        None if shape is None else shape.__codegen_key__,
    )
    return intern_key(cls, tag, (sizes, rates, table, shape))


def _codegen_fill_settings(obj: Settings, key: TraceKey, children: tuple[()] = ()) -> None:
    sizes, rates, table, shape = key.values
    object.__setattr__(obj, "sizes", sizes)
    object.__setattr__(obj, "rates", rates)
    object.__setattr__(obj, "table", table)
    object.__setattr__(obj, "shape", shape)
    object.__setattr__(obj, "__codegen_key__", key)


register_dataclass(
    Settings,
    data_fields=[],
    meta_fields=["sizes", "rates", "table", "shape"],
    flatten=lambda obj: ((), obj.__codegen_key__),
    fill=_codegen_fill_settings,
    key=_codegen_key_settings,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Linear(Pytree):
    __slots__ = ("b", "n", "w")

    w: Array
    b: Array
    n: int

    def __init__(self, w: ArrayLike, b: ArrayLike, *, n: int = 1) -> None:
        if type(w) in CONVERTED:
            w = as_array(w, "float32", type(self), "w")
        if type(b) in CONVERTED:
            b = as_array(b, "float32", type(self), "b")
        key = _codegen_key_linear(type(self), n)
        _codegen_fill_linear(self, key, (w, b))


def _codegen_key_linear(cls: type[Linear], n: int) -> TraceKey:
    if type(n) is not int:
        n = as_int(n, cls, "n")
    return intern_key(cls, (n,), (n,))


def _codegen_fill_linear(obj: Linear, key: TraceKey, children: tuple[Any, ...]) -> None:
    set_field = object.__setattr__
    w, b = children
    (n,) = key.values
    set_field(obj, "w", w)
    set_field(obj, "b", b)
    set_field(obj, "n", n)
    set_field(obj, "__codegen_key__", key)


def _codegen_flatten_linear(obj: Linear) -> tuple[tuple[Any, ...], TraceKey]:
    return (obj.w, obj.b), obj.__codegen_key__


def _codegen_split_linear(obj: Linear, donated: list[Any], kept: list[Any]) -> TraceKey:
    donated.append(obj.w)
    kept.append(obj.b)
    return obj.__codegen_key__


register_dataclass(
    Linear,
    data_fields=["w", "b"],
    meta_fields=["n"],
    flatten=_codegen_flatten_linear,
    fill=_codegen_fill_linear,
    key=_codegen_key_linear,
    split=_codegen_split_linear,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Plate(Pytree):
    """Donated, dynamic, optional, nested, and a tuple of nested."""

    __slots__ = ("alpha", "extra", "first", "grid", "layers", "scheme", "source", "t", "u")

    u: Array
    alpha: Array
    grid: Grid
    first: Linear
    layers: tuple[Linear, ...]
    extra: Array | None
    t: Array
    scheme: Scheme
    source: Callable[[Array], Array] | None

    def __init__(
        self,
        u: ArrayLike,
        alpha: ArrayLike,
        grid: Grid,
        first: Linear,
        *,
        layers: tuple[Linear, ...] = (),
        extra: ArrayLike | None = None,
        t: ArrayLike = 0.0,
        scheme: Scheme = Scheme.EXPLICIT,
        source: Callable[[Array], Array] | None = None,
    ) -> None:
        if type(u) in CONVERTED:
            u = as_array(u, "float32", type(self), "u")
        if type(alpha) in CONVERTED:
            alpha = as_array(alpha, "float32", type(self), "alpha")
        if type(first) is not Linear:
            first = as_part(first, Linear, type(self), "first")
        layers = _codegen_plate_layers(layers, type(self), "layers")
        if extra is not None and type(extra) in CONVERTED:
            extra = as_array(extra, "float32", type(self), "extra")
        if type(t) in CONVERTED:
            t = as_array(t, "float32", type(self), "t")
        key = _codegen_key_plate(type(self), grid, scheme, source)
        _codegen_fill_plate(self, key, (u, alpha, first, layers, extra, t))


_codegen_plate_layers: Final = dynamic_tuple(dynamic_part(Linear))


def _codegen_key_plate(
    cls: type[Plate],
    grid: Grid,
    scheme: Scheme,
    source: Callable[[Array], Array] | None,
) -> TraceKey:
    if type(grid) is not Grid:
        grid = as_instance(grid, Grid, cls, "grid")
    if type(scheme) is not Scheme:
        scheme = as_enum(scheme, Scheme, cls, "scheme")
    if source is not None:
        source = as_callable(source, cls, "source")
    tag = (grid.__codegen_key__, scheme, id(source))
    return intern_key(cls, tag, (grid, scheme, source))


def _codegen_fill_plate(obj: Plate, key: TraceKey, children: tuple[Any, ...]) -> None:
    set_field = object.__setattr__
    u, alpha, first, layers, extra, t = children
    grid, scheme, source = key.values
    set_field(obj, "u", u)
    set_field(obj, "alpha", alpha)
    set_field(obj, "grid", grid)
    set_field(obj, "first", first)
    set_field(obj, "layers", layers)
    set_field(obj, "extra", extra)
    set_field(obj, "t", t)
    set_field(obj, "scheme", scheme)
    set_field(obj, "source", source)
    set_field(obj, "__codegen_key__", key)


def _codegen_flatten_plate(obj: Plate) -> tuple[tuple[Any, ...], TraceKey]:
    children = (obj.u, obj.alpha, obj.first, obj.layers, obj.extra, obj.t)
    return children, obj.__codegen_key__


def _codegen_split_plate(obj: Plate, donated: list[Any], kept: list[Any]) -> tuple[Any, ...]:
    donated.append(obj.u)
    kept.append(obj.alpha)
    first = split(obj.first, donated, kept)
    layers = split(obj.layers, kept, kept)
    extra = split(obj.extra, kept, kept)
    kept.append(obj.t)
    return (obj.__codegen_key__, first, layers, extra)


register_dataclass(
    Plate,
    data_fields=["u", "alpha", "first", "layers", "extra", "t"],
    meta_fields=["grid", "scheme", "source"],
    flatten=_codegen_flatten_plate,
    fill=_codegen_fill_plate,
    key=_codegen_key_plate,
    split=_codegen_split_plate,
)


@dataclasses.dataclass(frozen=True, init=False, eq=False)
class Point(Pytree):
    """Registered by `jax.tree_util.register_dataclass`."""

    __slots__ = ("n", "x", "y")

    x: Array
    y: Array
    n: int
    __codegen_key__: TraceKey

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        n: int = 1,
        *,
        __codegen_key__: TraceKey | None = None,
    ) -> None:
        if __codegen_key__ is None:
            if type(x) in CONVERTED:
                x = as_array(x, "float32", type(self), "x")
            if type(y) in CONVERTED:
                y = as_array(y, "float32", type(self), "y")
            __codegen_key__ = _codegen_key_point(type(self), n)
        _codegen_fill_point(self, __codegen_key__, (x, y))


def _codegen_key_point(cls: type[Point], n: int) -> TraceKey:
    if type(n) is not int:
        n = as_int(n, cls, "n")
    return intern_key(cls, (n,), (n,))


def _codegen_fill_point(obj: Point, key: TraceKey, children: tuple[Any, ...]) -> None:
    set_field = object.__setattr__
    x, y = children
    (n,) = key.values
    set_field(obj, "x", x)
    set_field(obj, "y", y)
    set_field(obj, "n", n)
    set_field(obj, "__codegen_key__", key)


def _codegen_flatten_point(obj: Point) -> tuple[tuple[Any, ...], TraceKey]:
    return (obj.x, obj.y), obj.__codegen_key__


def _codegen_split_point(obj: Point, donated: list[Any], kept: list[Any]) -> TraceKey:
    donated.append(obj.x)
    kept.append(obj.y)
    return obj.__codegen_key__


register_with_jax(
    Point,
    data_fields=["x", "y"],
    meta_fields=["__codegen_key__"],
    drop_fields=["n"],
)
adopt_dataclass(
    Point,
    data_fields=["x", "y"],
    meta_fields=["n"],
    flatten=_codegen_flatten_point,
    fill=_codegen_fill_point,
    key=_codegen_key_point,
    split=_codegen_split_point,
)


def _codegen_bind_step(plate: Plate, dt: ArrayLike, n: int = 1) -> Bound:
    """Advance the plate."""
    donated: list[Any] = []
    kept: list[Any] = []
    if type(plate) is not Plate:
        plate = as_part(plate, Plate, "step", "plate")
    if type(dt) in CONVERTED:
        dt = as_argument(dt, "float32", "step", "dt")
    if type(n) is not int:
        n = as_int(n, "step", "n")
    key = (_codegen_split_plate(plate, donated, kept), n)
    kept.append(dt)
    return key, donated, kept, (plate, dt, n)


def _codegen_impl_step(plate: Plate, dt: Array, n: int) -> Plate:
    from tests.runtime.model import step as implementation

    return implementation(plate, dt, n)


step: Final = Function(
    _codegen_bind_step,
    _codegen_impl_step,
    name="step",
    static=["n"],
    donated=["plate"],
)


def _codegen_bind_total(first: Linear, second: Linear | None = None) -> Bound:
    donated: list[Any] = []
    kept: list[Any] = []
    key = (split(first, kept, kept), split(second, kept, kept))
    return key, donated, kept, (first, second)


def _codegen_impl_total(first: Linear, second: Linear | None) -> Array:
    from tests.runtime.model import total as implementation

    return implementation(first, second)


total: Final = Function(_codegen_bind_total, _codegen_impl_total, name="total")
