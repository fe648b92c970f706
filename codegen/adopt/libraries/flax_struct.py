"""flax.struct: `@struct.dataclass`, `PyTreeNode`, `field(pytree_node=False)`."""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="flax.struct",
    decorators=frozenset(("flax.struct.dataclass",)),
    bases=frozenset(("flax.struct.PyTreeNode",)),
    fields=frozenset(("flax.struct.field",)),
    is_static=lambda declared, _: declared.has_option("pytree_node", False),
    constructs_again=True,
    has_own_treedef=False,
)
