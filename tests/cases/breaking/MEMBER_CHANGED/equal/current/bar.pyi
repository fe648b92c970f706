from typing import Any, ClassVar

from codegen.schema import dynamic, f32, impl

class Bar:
    truth: ClassVar[Any] = True
    zero: ClassVar[float] = -0.0
    same: ClassVar[float] = 1.0

    u: dynamic[f32]  # temperature [K]

    @impl("model:energy")
    def energy(self, scale: float = 1.0) -> f32: ...
