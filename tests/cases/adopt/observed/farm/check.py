"""The observed command."""

import pickle
import sys
from types import SimpleNamespace

import jax.numpy as jnp

from farm.barrels import Optional, fill
from farm.kinds import Log, Mapped, Measured, Reading
from farm.saved import Field, Plant, Rain, Seed, Soil
from farm.uses import (
    Big,
    Box,
    Couple,
    Fluid,
    Hidden,
    Leafless,
    Listed,
    Node,
    Pair,
    Shown,
    State,
    Table,
    Tin,
    Weirder,
    Wrapped,
    poke_tin,
    show,
)

u = jnp.zeros(3)
first, _ = Reading(u, u)
measured = Measured(Reading(u, u), dtype=jnp.int32, function=jnp.sin)
assert measured.replace(maybe=measured.reading, dtype=jnp.dtype("int8")).dtype == "int8"
assert Log(measured).last(measured) is measured
Mapped(u, u, u, title="one")
Pair(u, u)
Couple(u, u)
assert Node(u).u is Leafless(u).u
State(key=u, step=u)
Wrapped(key=u, step=u, extra=u)
Big(key=u, other=u)
Box(u)
Tin(u)
poke_tin(SimpleNamespace(), u)
assert Table(u).as_dict()["u"] is Listed(u).as_dict()["u"] is u
show(SimpleNamespace())
show(Shown(u))
Hidden(u)
assert Fluid(u).denser().set(rho=u).rho.sum() == 0
assert "w" in getattr(Weirder(u, u), "__dict__")

assert fill(u).u is u and Optional[int]

soil = Soil.init(u).replace(n=4)
saved = [soil, soil, Field(soil, Rain(ϵ=u, w=u), 5), Plant(u, n=6), Seed(n=7)]
for protocol in range(2, 6):
    loaded = pickle.loads(pickle.dumps(saved, protocol))
    assert loaded[0] is loaded[1]
    assert [type(one) for one in loaded] == [Soil, Soil, Field, Plant, Seed]
    assert [one.n for one in loaded] == [4, 4, 5, 6, 7]
    assert loaded[2].rain.w.shape == loaded[2].rain.fit().shape == (3,)
print("done", file=sys.stderr)
