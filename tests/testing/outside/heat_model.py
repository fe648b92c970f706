"""Functions for `convert=`. Other implementations are only for type checkers, and no property test calls them."""

from typing import Any

from jax import numpy as jnp


def parsed(text: str | float) -> float:
    return float(text)


def rounded(number: float) -> int:
    return round(number)


def made(value: Any) -> Any:
    """Return the same object; property tests pass no text."""
    return value


def made_anew(value: Any) -> Any:
    """The same function under another name."""
    return value


class Model:
    """A class with a converter."""

    @staticmethod
    def rounded(number: float) -> int:
        return round(number)


def ones() -> Any:
    return jnp.ones(2)


def name(*_: Any, **__: Any) -> Any:
    """Return a default. Methods and functions of this name take more arguments, and property tests do not call them."""
    return "made"


def size(*_: Any, **__: Any) -> Any:
    """Like `name`."""
    return 2.0


class Rates:
    """A class with a factory."""

    @staticmethod
    def first() -> float:
        return 0.5


def __getattr__(name: str) -> Any:
    raise AttributeError(name)
