from codegen.schema import dynamic, f32

from .beams import Beam

class Rod:
    bar: dynamic[Beam]

class Clock:  # codegen: was[gone:Clock]
    t: dynamic[f32]
