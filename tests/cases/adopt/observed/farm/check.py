"""The observed command."""

import sys
from types import SimpleNamespace

sys.path.insert(0, "standins")

import jax.numpy as jnp

from farm.uses import Big, Box, Fluid, Hidden, Shown, State, Table, Tin, Wrapped, poke_tin, show

u = jnp.zeros(3)
State(key=u, step=u)
Wrapped(key=u, step=u, extra=u)
Big(key=u, other=u)
Box(u)
Tin(u)
poke_tin(SimpleNamespace(), u)
assert Table(u).u is not None
show(SimpleNamespace())
show(Shown(u))
Hidden(u)
assert Fluid(u).denser().set(rho=u).rho.sum() == 0
print("done", file=sys.stderr)
