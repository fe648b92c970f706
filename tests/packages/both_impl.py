"""The implementations of `schemas/plates.pyi`."""

from typing import Any


def step(plate: Any, dt: Any, n: int) -> Any:
    """Advance the time by `n` steps."""
    return plate.replace(u=plate.u * 2, t=plate.t + n * dt)


def wrong(plate: Any) -> Any:
    """Return an array of another dtype than the schema declares."""
    return plate.replace(u=plate.u.astype("int32"))


def write(cache: Any) -> Any:
    """Write into the Ref."""
    cache.kept[0] = cache.u[0] + 1
    return cache


def same(box: Any) -> Any:
    """Return what the box contains."""
    return box.item


def few(x: Any) -> Any:
    """Add one."""
    return x + 1
