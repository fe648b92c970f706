"""Implementations for type checkers: no law calls them."""

from typing import Any


def __getattr__(name: str) -> Any:
    raise AttributeError(name)
