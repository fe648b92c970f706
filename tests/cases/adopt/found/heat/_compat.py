from functools import partial

import chex
from flax import struct
from flax.struct import dataclass as pytree

frozen = partial(chex.dataclass, frozen=True)
Struct = struct.PyTreeNode
