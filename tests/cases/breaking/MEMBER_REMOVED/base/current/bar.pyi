from typing import ClassVar

from codegen.schema import f32, impl, static

class Base(abstract=True):
    n: static[int]
    order: ClassVar[int] = 2

    @impl("m:energy")
    def energy(self) -> f32: ...

class Bar(Base):
    degree: ClassVar[int] = 3
