from typing import Any, Callable, Literal

import numpy as np
from optax import OptState

from codegen.schema import dtype, dynamic, f32, frozendict, static

class Part:
    n: static[int]

class Types:
    a: static[int]
    b: static[float]
    c: static[bool]
    d: static[complex]
    e: static[str]
    f: static[bytes]
    g: static[None]
    h: dynamic[int]
    i: dynamic[tuple[float, bool, complex]]
    j: static[tuple[int, ...]]
    k: static[tuple[int, str]]
    l: static[tuple[()]]
    m: static[frozenset[str]]
    n: static[frozendict[str, tuple[int, ...]]]
    o: static[int | str | None]
    p: dynamic[list[f32]]
    q: dynamic[dict[str, list[f32]]]
    r: static[Callable[[f32, int], f32]]
    s: static[Callable[..., f32] | None]
    t: static[Callable[[], None]]
    u: static[dtype]
    v: static[Any]
    w: dynamic[Any]
    x: static[Part]
    y: dynamic[Part]
    z: static[np.float32]
    aa: dynamic[OptState]
    ab: static[Literal["a", 1, -1, b"b", True, None]]
    ac: static[int | (str | int)]
