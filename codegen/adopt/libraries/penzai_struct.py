"""penzai: `@pz.pytree_dataclass` over `pz.Struct`, `metadata={"pytree_node": False}`."""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="penzai.struct",
    decorators=frozenset(("penzai.pz.pytree_dataclass", "penzai.core.struct.pytree_dataclass")),
    bases=frozenset(("penzai.pz.Struct", "penzai.core.struct.Struct")),
    interface=frozenset(("select",)),
    is_static=lambda declared, _: declared.has_option("pytree_node", False),
)
