from typing import Generic, TypeVar

from codegen.schema import dynamic, f32

_rt = TypeVar("_rt")

class Box(Generic[_rt]):
    item: dynamic[_rt]
