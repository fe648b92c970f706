from typing import Generic, TypeVar

from codegen.schema import dynamic

T = TypeVar("T")

class Box(Generic[T]):
    content: dynamic[T]
