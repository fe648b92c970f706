"""A tag counts where one array below says nothing else, however deep."""

from typing import Any, Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field

n = Dim()  # features
T = TypeVar("T")

class Linear:
    w: donated[f32[n]] = field(tag="decay")  # weights
    b: donated[f32[n]]  # bias

class Block:
    first: donated[Linear]
    rest: donated[dict[str, Linear]] = field(tag="rest")

class Base(abstract=True, use="dynamic"): ...

class Tagged(Base):
    w: donated[f32[n]] = field(tag="decay")  # weights

class Bare(Base):
    w: donated[f32[n]]  # weights

class Box(Generic[T]):
    content: dynamic[T]

class Model:
    block: donated[Block] = field(tag="frozen")
    parts: donated[tuple[Base, ...]] = field(tag="frozen")
    box: dynamic[Box[Tagged]] = field(tag="frozen")
    state: dynamic[Any] = field(tag="state")
    scale: dynamic[float] = field(default=1.0, tag="scale")
