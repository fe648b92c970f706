from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, static

pixels = Dim()
hidden = Dim()
classes = Dim()
T = TypeVar("T")

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]]
    b: donated[f32[n_out]]

class Norm(Generic[T], dims=(n,)):
    scale: donated[f32[n]]
    extra: static[T]

class Block(dims=(n)):
    up: donated[Linear[n, 4 * n]]
    down: donated[Linear[4 * n, n]]
    norm: donated[Norm[n, int]]

class Mlp:
    first: donated[Linear[pixels, hidden]]
    middle: donated[tuple[Linear[hidden, hidden], ...]]
    last: donated[Linear[hidden, classes]]
    any: donated[Linear[_, _]]
    unsaid: donated[Linear]
    norm: donated[Norm[3, str] | None] = None
    blocks: donated[dict[str, Block[hidden]]]
    hidden: static[int]
