"""Imports in all their forms."""

import jax.numpy
import numpy as np
import optax as optax
from collections.abc import Callable
from typing import (
    Any,
    ClassVar,  # a comment that would go with it
    Generic,
    Literal,
    TypeVar,
)

from codegen.schema import Dim, donated, dynamic, f32, static

from .steel import Steel, Weld as Seam

class Bar:
    u: dynamic[f32]
    mode: static[Literal["a", "b"]] = "a"
    seam: static[Seam]
