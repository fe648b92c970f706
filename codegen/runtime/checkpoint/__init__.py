"""States that outlive the program: their arrays, and a text that says all the rest.

packed = pack(state)
state = unpack(TrainState, packed.arrays, packed.about)
"""

from .configurations import from_dict as from_dict
from .configurations import from_json as from_json
from .configurations import to_dict as to_dict
from .configurations import to_json as to_json
from .documents import CheckpointError as CheckpointError
from .packing import Packed as Packed
from .packing import pack as pack
from .stores import restore as restore
from .stores import save as save
from .stores import save_async as save_async
from .unpacking import unpack as unpack
