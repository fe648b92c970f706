"""Functions for `convert=` in constructors."""

import math


def upwards(angle: float) -> float:
    """Return an angle without its sign; reject infinity."""
    if math.isinf(angle):
        raise ValueError("an angle is finite")
    return abs(angle)
