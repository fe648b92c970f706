from typing import ClassVar

from codegen.schema import impl, static

class Grid:
    nx: static[int]
    nx: static[int]
    order: ClassVar[int] = 2
    order: static[int] = 2

    @impl("heat_model:nx")
    def nx(self) -> int: ...
