"""What `convert=` calls; other implementations are for type checkers, as no law calls them."""

from typing import Any

from jax import numpy as jnp


def parsed(text: str | float) -> float:
    return float(text)


def rounded(number: float) -> int:
    return round(number)


def made(value: Any) -> Any:
    """Of an object, itself; no law gives a text."""
    return value


def made_anew(value: Any) -> Any:
    """The same, under another name."""
    return value


class Model:
    """A function inside a class is found too."""

    @staticmethod
    def rounded(number: float) -> int:
        return round(number)


def ones() -> Any:
    return jnp.ones(2)


def name(*_: Any) -> Any:
    """Make a default; the methods and functions of this name, which take more, no law runs."""
    return "made"


def size(*_: Any) -> Any:
    """As `name`."""
    return 2.0


class Rates:
    """What makes a value may stand inside a class."""

    @staticmethod
    def first() -> float:
        return 0.5


def __getattr__(name: str) -> Any:
    raise AttributeError(name)
