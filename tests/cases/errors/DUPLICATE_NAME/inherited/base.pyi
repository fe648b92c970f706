from typing import ClassVar

from codegen.schema import impl, static

class Base:
    nx: static[int]

    @impl("heat_model:size")
    def size(self) -> int: ...

class Measured:
    scale: ClassVar[int] = 1

    @impl("heat_model:length")
    def length(self) -> int: ...
    @property
    @impl("heat_model:width")
    def width(self) -> int: ...

class Remeasured(Measured):
    width: ClassVar[int] = 1

    @property
    @impl("heat_model:length")
    def length(self) -> int: ...
    @impl("heat_model:scale")
    def scale(self) -> int: ...
