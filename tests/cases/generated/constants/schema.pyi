from typing import ClassVar

from codegen.schema import f32, static

class Gas:
    R: ClassVar[float] = 8.314
    heats: static[f32[3]]
