from typing import ClassVar

from codegen.schema import Dim, dynamic, f32, field, i32, impl

n = Dim()

class Batch:
    labels: dynamic[i32[n]]
    mask: dynamic[i32[n]]

class Linear:
    w: dynamic[f32[n]] = field(tag="decay")

    @impl("model:labels")
    def labels(self) -> f32[n]: ...

class Holder:
    linear: dynamic[tuple[Linear, ...]]
    labels: dynamic[i32[n]]
    mask: ClassVar[int] = 3

class Tagged(Batch):
    w: dynamic[f32[n]] = field(tag="decay")

class Initialized:
    w: dynamic[f32[n]] = field(init="zeros")
    init: dynamic[i32[n]]

class Net:
    part: dynamic[Initialized]
    init: ClassVar[int] = 3
