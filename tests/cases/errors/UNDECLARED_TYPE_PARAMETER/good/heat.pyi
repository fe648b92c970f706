from typing import Generic, TypeVar

from codegen.schema import dynamic

T = TypeVar("T")
S = TypeVar("S")

class Pair(Generic[T, S]):
    first: dynamic[T]
    second: dynamic[S]
