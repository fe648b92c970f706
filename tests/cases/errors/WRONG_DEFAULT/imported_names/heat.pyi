"""What is imported has no literal, and fits where nobody knows its type."""

from enum import Enum
from typing import ClassVar

import colors
from colors import RED, Color
from codegen.schema import Dim, dtype, dynamic, f32, impl, static
import jax.numpy as jnp

n = Dim()

class Own(Enum):
    RED = RED

class Grid:
    SCHEME: ClassVar[Color] = Color.RED
    g: static[dtype] = jnp.float32
    i: dynamic[f32] = colors.rate

    @impl("heat_model:of")
    def of(self, color: Color = Color.RED) -> int: ...
