"""Objects of the classes of the sample."""

from typing import Any

import jax.numpy as jnp

from tests.runtime.sample import Bag, Grid, Linear, Plate


def make_plate(**changes: Any) -> Plate:
    return Plate(
        **{
            "u": jnp.ones(4),
            "alpha": jnp.full(4, 2.0),
            "grid": Grid(2, 2),
            "first": Linear(jnp.ones(2), jnp.zeros(2)),
            "layers": (Linear(jnp.ones(3), 0.0),),
            "extra": jnp.zeros(()),
            **changes,
        }
    )


def make_bag() -> Bag:
    return Bag(
        pair=(jnp.ones(2), [jnp.ones(3), None]),
        named={"b": jnp.ones(4), "a": Linear(jnp.ones(5), jnp.ones(6))},
        layers=(Linear(jnp.ones(7), 0.0), Linear(jnp.ones(8), 0.0)),
        extra=jnp.ones(9),
        total=jnp.ones(10),
    )
