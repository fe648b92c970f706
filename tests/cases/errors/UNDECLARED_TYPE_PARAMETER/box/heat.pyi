from typing import Generic, TypeVar

from codegen.schema import dynamic

T = TypeVar("T")
S = TypeVar("S")

class Box:
    content: dynamic[tuple[T, T]]

class Pair(Generic[T]):
    first: dynamic[T]
    second: dynamic[S]

class Sub(Pair[T]): ...
