"""The observed command."""

import jax.numpy as jnp

from shed import kinds

u = jnp.zeros(3)
tools = (kinds.Rake, kinds.Ladder, kinds.Barrow, kinds.Hoe, kinds.Spade, kinds.Fork)
for cls in (*tools, kinds.Scythe, kinds.Sickle):
    assert cls(u).u is u
assert kinds.Bucket(water=u).water is u
assert kinds.Cart(load=u).load is u
kinds.table_that_runs(kinds.Hoe(u))
