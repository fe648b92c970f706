from enum import Enum
from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, static

result = TypeVar("result")
values = f32[3]

class key(Enum):
    A = 1

class theirs:
    of: static[key]

class Box(Generic[result]):
    item: dynamic[result]
    more: dynamic[values]
