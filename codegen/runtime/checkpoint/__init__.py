"""States that outlive the program: their arrays, and a text that says all the rest.

packed = pack(state)
state = unpack(TrainState, packed.arrays, packed.about)
"""

from .documents import CheckpointError as CheckpointError
from .packing import Packed as Packed
from .packing import pack as pack
from .unpacking import unpack as unpack
