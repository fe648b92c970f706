from typing import ClassVar

from codegen.schema import f32, impl, static

class Bar:
    n: static[int]
    order: ClassVar[int] = 2
    degree: ClassVar[int] = 2

    @impl("m:energy")
    def energy(self) -> f32: ...

    @property
    @impl("m:size")
    def size(self) -> int: ...
