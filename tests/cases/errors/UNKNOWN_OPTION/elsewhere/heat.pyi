import dataclasses
import equinox as eqx
from codegen.schema import dynamic, f32, static
from flax import struct

class Plate:
    nx: static[int] = struct.field(pytree_node=False, default=3)
    name: static[str] = eqx.field(static=True)
    order: static[int] = eqx.field(default=2)
    sizes: static[tuple[int, ...]] = dataclasses.field(default_factory=tuple)
