"""The implementation for the outer package."""

from typing import Any


def step(world: Any) -> Any:
    """Accelerate the oscillator."""
    osc = world.osc
    return world.replace(osc=osc.replace(v=osc.v - osc.rate * osc.x))
