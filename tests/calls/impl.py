"""Implementations. Tests import a copy as `called_impl`, and edit it."""

import collections
from collections.abc import Callable
from typing import Any

from jax import Array

traces: collections.Counter[str] = collections.Counter()


def step(plate: Any, dt: Array, n: int) -> Any:
    """Advance."""
    traces["step"] += 1
    part = plate.part.replace(w=plate.part.w * 2)
    return plate.replace(u=plate.u + n * dt * plate.alpha, part=part, t=plate.t + dt)


class Several:
    """A class whose functions are implementations."""

    @staticmethod
    def inner(x: Array) -> Array:
        """Add one."""
        traces["inner"] += 1
        return x + 1


def branch(plate: Any, parts: Any, dt: Array) -> Any:
    """Branch on a traced value, in `plate.t` or in another place."""
    for value in (plate.u[0], plate.alpha[0], plate.layers[0].rate, parts["a"].w[0], dt):
        try:
            if value > 0:
                pass
        except Exception as error:  # noqa: BLE001
            errors.append(error)
    if plate.u[0] > 0:
        return plate
    return plate


errors: list[Exception] = []


def add(x: Array, dt: Array, rate: Array) -> Array:
    """Add."""
    traces["add"] += 1
    return x + dt + rate


def given(x: Any) -> Any:
    """Return the value that a test chose."""
    traces["given"] += 1
    return returned[0](x)


returned: list[Callable[[Any], Any]] = [lambda x: x]
