"""A command that constructs objects whose arguments no annotation describes."""

from __future__ import annotations

import jax.numpy as jnp

from lab.observed import Algorithm, Limits

if __name__ == "__main__":
    algorithm = Algorithm(Limits(0.0, 5.0))
    algorithm.tell(jnp.arange(4.0))
