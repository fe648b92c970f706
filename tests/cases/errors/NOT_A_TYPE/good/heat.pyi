import numpy as np
from typing import Callable, Literal

from codegen.schema import Dim, Shaped, donated, f32, static

nx = Dim()

class Grid:
    a: static[f32[nx]]
    b: static[Literal[3]]
    d: donated[Shaped[...]]
    g: static[np.float32]
    n: static[Callable[..., int]]
