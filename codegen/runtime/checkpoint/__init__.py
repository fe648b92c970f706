"""Saved states: their arrays, and a text that describes everything else.

packed = pack(state)
state = unpack(TrainState, packed.arrays, packed.about)

Read the modules in this order:

documents               canonical JSON with a digest at its end, and arrays in it
schemas                 what the schemas declare: texts, classes, and which values fit
differences             whether a value matches `like=`
packing                 from a state to its arrays and a document
reading                 back from JSON: arrays, static values, containers
unpacking               objects, by the saved and the current schemas of their classes
stores                  on disk, by orbax
configurations          static objects as plain data; documents do not use this
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
