"""Imports in all their forms."""

import optax as optax
from typing import (
    ClassVar,  # a comment that would go with it
    Literal,
)

from codegen.schema import dynamic, f32, static

from .steel import Weld as Seam

class Bar:
    u: dynamic[f32]
    mode: static[Literal["a", "b"]] = "a"
    seam: static[Seam]
