"""Implementations for type checkers. No property test calls them."""

from typing import Any


def __getattr__(name: str) -> Any:
    raise AttributeError(name)
