import numpy as np
import optax as optax
from enum import Enum
from typing import ClassVar, Generic, TypeVar

from codegen.schema import Dim, dynamic, f32, field, impl, share, static

n = Dim()
T = TypeVar("T")

class Kind(Enum):
    A = 1

class Box(Generic[T]):
    order: ClassVar[int] = 2
    content: dynamic[T]
    x: dynamic[f32[n]] = field(init="zeros")
    y: dynamic[f32[n]] = field(init="zeros")
    scale: static[np.float32]
    kind: static[Kind] = Kind.A

    share(x, y)

@impl("model:run")
def run(box: dynamic[Box[f32]]) -> f32: ...
