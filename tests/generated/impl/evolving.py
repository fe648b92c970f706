"""What the function of `tests/generated/test_evolution.py` runs."""

from __future__ import annotations

from typing import Any

calls: list[tuple[int, int]] = []


def total(a: Any, factor: int, shift: int) -> Any:
    """Add up the fields; every trace is noted."""
    calls.append((factor, shift))
    return (a.x + a.y) * factor + shift
