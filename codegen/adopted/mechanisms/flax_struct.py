"""flax.struct: `@struct.dataclass`, `PyTreeNode`, `field(pytree_node=False)`."""

from codegen.adopted.mechanisms.mechanism import Mechanism

MECHANISM = Mechanism(
    name="flax.struct",
    decorators=frozenset(("flax.struct.dataclass",)),
    bases=frozenset(("flax.struct.PyTreeNode",)),
    fields=frozenset(("flax.struct.field",)),
    is_static=lambda declared, _: declared.says("pytree_node", False),
    constructs_again=True,
    has_own_treedef=False,
    sample="""\
from flax import struct

@struct.dataclass
class Plate:
    u: jax.Array
    n: Any = struct.field(pytree_node=False)
""",
)
