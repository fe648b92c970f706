"""The objects that the frozen fixtures hold, of the package that is given.

objects("frozen_generated")["statics"]    ->    frozen_generated.everything.Statics(...)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def objects(package: str) -> dict[str, Any]:
    """Return each object by the name of its fixture."""
    every = import_module(f"{package}.everything")
    heat = import_module(f"{package}.heat")
    materials = import_module(f"{package}.materials")
    iron = materials.Material("iron", conductivity=80.0, density=7874.0, specific_heat=449.0)
    ones = jnp.ones(3)
    linear = every.Linear(w=ones * 2, scale=0.5)
    constant = every.Constant()
    boxed = every.Box(ones)
    plate = heat.Plate(
        jnp.ones((4, 4)), jnp.zeros((4, 4)), heat.Grid(nx=4, ny=4), iron, thickness=0.5
    )
    return {
        "material": iron,
        "plate": plate,
        "statics": every.Statics(),
        "statics_of_many_values": every.Statics(
            a=-(10**30),
            b=float("nan"),
            c=False,
            d=complex(0.0, -0.0),
            e="\u00e9",
            f=b"\x00\xff",
            g="x",
            h=(),
            i=(3, ""),
            j=frozenset(),
            l=np.dtype("int8"),
            m=True,
            o=every.Scheme.SECOND,
            p=every.Level.LOW,
            q=every.Rights.READ | every.Rights.WRITE,
            r=(1, True, 1.0),
            s=iron,
            t=np.arange(3, dtype=np.float32),
        ),
        "arrays": every.Arrays(
            x=ones, y=jnp.ones((3, 2)), count=7, random=jax.random.key(3), tag=ones
        ),
        "containers": every.Containers(
            a=[1.0, 2.0],
            b={"k": (1.0,), "j": ()},
            c=(ones,),
            d={"z": 1.0, "a": 2.0},
            e=(1.0, True, 2j),
            f={"free": ones},
        ),
        "holder": every.Holder(model=linear, box=boxed, pair=(constant, linear)),
        "net": every.Net(layers=2, stack=every.Layer(w=jnp.ones((2, 3, 3)))),
        "tied": every.Tied(embed=boxed, unembed=boxed),
        "registered": every.Registered(w=ones, depth=3),
        "renamed": every.Renamed(now=5),
    }
