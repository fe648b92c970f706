"""Classes without methods: their import is among the others, in the order of isort."""

from __future__ import annotations

import math

import jax
from flax import struct

from heat.kinds import Params
from heat.tables import ROWS


@struct.dataclass
class Run:
    """A run."""

    params: Params
    u: jax.Array


# The rows of a run.
SIZE = math.prod(ROWS)


@struct.dataclass
class Later:
    run: Run
