"""Typed implementations. Some do not fit the declarations of `schemas/misfits.pyi`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax

if TYPE_CHECKING:
    from jax import Array
    from misfit.misfits import Tank


def wrong_sizes(sizes: int) -> list[int]:
    return [sizes]


def depth(tank: Tank, scale: float) -> float:
    return float(tank.level) * scale


def text_of(tank: Tank) -> str:
    return str(tank.level)


def filled(tank: Tank, by: Array, n: int) -> Tank:
    return tank.replace(level=tank.level + by * n)


def by_position(tank: Tank, by: Array, /) -> Tank:
    return tank.replace(level=tank.level + by)


def start(key: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    return jax.random.normal(key, shape, dtype)


def zero() -> float:
    return 0.0


def name() -> str:
    return "zero"
