from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, static, stacked

layers = Dim(mesh="stage")
width = Dim()
T = TypeVar("T")

class Linear(dims=(n_in, n_out)):
    w: donated[f32[n_in, n_out]] = field(init="lecun_normal")

class Block(dims=(n,)):
    up: donated[Linear[n, 4 * n]]
    down: donated[Linear[4 * n, n]]
    heads: static[int] = 4

class Box(Generic[T]):
    content: dynamic[T]

class Scanned:
    blocks: donated[stacked[Block[width], layers]]
    twice: donated[stacked[stacked[Linear[width, 3], 2], layers + 1] | None] = None
    any_number: dynamic[stacked[Linear, _] | None] = None

class Unrolled:
    blocks: donated[tuple[Block[width], layers]]
    pairs: donated[tuple[tuple[f32[width], 2], layers]]
    names: static[tuple[str, layers]]

class Stack(dims=(depth,)):
    blocks: donated[stacked[Block[width], depth]]
    box: dynamic[Box[stacked[Linear[width, width], depth]]]

class Model:
    encoder: donated[Stack[layers]]
    decoder: donated[Stack[3]]
