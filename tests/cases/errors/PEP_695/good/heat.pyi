from typing import Generic, TypeAlias, TypeVar

from codegen.schema import dynamic

T = TypeVar("T")
Pair: TypeAlias = tuple[int, int]

class Box(Generic[T]):
    content: dynamic[T]
