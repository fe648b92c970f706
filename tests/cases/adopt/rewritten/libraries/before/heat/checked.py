"""The decorator depends on whether a type checker reads it."""

from typing import TYPE_CHECKING

import jax

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from chex import dataclass


@dataclass(frozen=True)
class Checked:
    u: jax.Array
