"""A module whose other imports are relative."""

import jax
from flax import struct

from .names import NAME


@struct.dataclass
class Table:
    u: jax.Array


ROWS = (2, 3)
TITLE = NAME.title()
