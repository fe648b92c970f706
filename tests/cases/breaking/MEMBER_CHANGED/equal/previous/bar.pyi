from typing import Any, ClassVar

from codegen.schema import dynamic, f32, impl

class Bar:
    truth: ClassVar[Any] = 1
    zero: ClassVar[float] = 0.0
    same: ClassVar[float] = 1

    u: dynamic[f32]  # temperature [K]

    @impl("model:energy")
    def energy(self, scale: float = 1) -> f32: ...
