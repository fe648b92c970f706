"""The implementation for `tests/generated/test_evolution.py`."""

from __future__ import annotations

from typing import Any

calls: list[tuple[int, int]] = []


def total(a: Any, factor: int, shift: int) -> Any:
    """Add up the fields, and record every trace."""
    calls.append((factor, shift))
    return (a.x + a.y) * factor + shift


def twice(n: int) -> int:
    """Return twice a number."""
    return 2 * n
