"""What `convert=` calls in constructors."""

import math


def upwards(angle: float) -> float:
    """An angle without its sign, which is not infinite."""
    if math.isinf(angle):
        raise ValueError("an angle is finite")
    return abs(angle)
