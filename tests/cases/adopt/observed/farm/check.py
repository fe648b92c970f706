"""The observed command."""

import inspect
import pickle
import sys
from pathlib import Path
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
files = [Path(f"saved{protocol}.pkl") for protocol in range(2, 6)]
for protocol, file in enumerate(files, start=2):
    if not file.exists():  # in the first run
        file.write_bytes(pickle.dumps(saved, protocol))
    loaded = pickle.loads(file.read_bytes())
    assert loaded[0] is loaded[1]
    assert [type(one) for one in loaded] == [Soil, Soil, Field, Plant, Seed]
    assert [one.n for one in loaded] == [4, 4, 5, 6, 7]
    assert loaded[2].rain.w.shape == loaded[2].rain.fit().shape == (3,)
    assert pickle.loads(pickle.dumps(loaded[2])).soil.n == 4
for text, create in {
    "__() missing 2 required positional arguments: 'soil' and 'rain'": lambda: Field(n=5),
    "__() missing 1 required positional argument: 'u'": lambda: Plant(),
}.items():
    try:
        create()
    except TypeError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
assert inspect.signature(Plant).parameters["u"].default is inspect.Parameter.empty
print("done", file=sys.stderr)
