from typing import Any, Callable, Literal

from codegen.schema import Dim, Float, bf16, donated, dtype, f32, frozendict, static

nx = Dim()

class Grid:
    u: donated[f32[nx]]
    w: donated[Float[...]]
    a: static[Any]
    f: static[Callable[[float], float]]
    l: static[Literal["a"]]
    d: static[frozendict[str, int]] = frozendict(a=1)
    t: static[dtype] = bf16
