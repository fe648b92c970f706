from typing import Literal

from codegen.schema import impl, static

class Node:
    next: static["Node | None"] = None
    other: "static[int]" = 3
    mode: static[Literal["a", "b"]] = "a"

    @impl("heat_model:depth")
    def depth(self) -> "int": ...
