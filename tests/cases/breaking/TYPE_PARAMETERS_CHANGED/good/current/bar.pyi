from typing import Any, Generic, TypeVar

from codegen.schema import dynamic

S = TypeVar("S")

class Box(Generic[S]):
    content: dynamic[Any]
    second: dynamic[S]
