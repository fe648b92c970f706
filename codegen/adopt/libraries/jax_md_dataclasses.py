"""jax_md: its own `@dataclasses.dataclass`, `static_field()`."""

from codegen.adopt.libraries.library import PytreeLibrary

_STATIC = "jax_md.dataclasses.static_field"

LIBRARY = PytreeLibrary(
    name="jax_md",
    decorators=frozenset(("jax_md.dataclasses.dataclass",)),
    fields=frozenset((_STATIC, "jax_md.dataclasses.field")),
    is_static=lambda declared, _: (
        declared.has_option("static", True)
        or (declared.call is not None and declared.call.name == _STATIC)
    ),
    adds="def set(self, **changes):\n    return self.replace(**changes)\n",
    constructs_again=True,
    has_own_treedef=False,
)
