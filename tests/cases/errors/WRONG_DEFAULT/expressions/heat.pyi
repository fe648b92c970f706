import jax.numpy as jnp
from typing import Any

from codegen.schema import dtype, frozendict, impl, static

class Part:
    n: static[int]

class Grid:
    a: static[tuple[int, ...]] = [1, 2]
    b: static[frozendict[str, int]] = {"a": 1}
    c: static[float] = 2 * 3.0
    d: static[dtype] = jnp.float32
    e: static[float] = jnp.pi
    f: static[Part] = Part
    g: static[float] = float("inf")
    h: static[Any] = impl
    i: static[frozenset[int]] = frozenset(1, 2)
    j: static[frozendict[str, int]] = frozendict([("a", 1)])
    l: static[bool] = -True
    m: static[str] = "a"[0]
