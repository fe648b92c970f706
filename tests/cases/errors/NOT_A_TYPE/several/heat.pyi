import jax
import jax.numpy as jnp
import numpy as np
from typing import Callable, ClassVar, Literal

from codegen.schema import Dim, donated, dynamic, f32, impl, static

nx = Dim()

@impl("heat_model:step")
def step(t: dynamic[f32]) -> f32: ...

class Grid:
    a: static[nx]
    b: static[3]
    c: static[step]
    d: donated[jnp.ndarray]
    e: donated[jax.Array]
    f: static[np.ndarray | None]
    g: static[np]
    h: static[impl]
    i: static[Literal[0.5]]
    j: static[tuple[int, [int]]]
    k: static[Grid()]
    l: static[int + float]
    m: static[Grid.a]
    n: static[Callable[[3], int]]
    order: ClassVar[f32] = 1.0
