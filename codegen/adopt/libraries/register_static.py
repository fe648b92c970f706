"""jax: `register_static`, a class without leaves."""

from codegen.adopt.libraries.library import PytreeLibrary

LIBRARY = PytreeLibrary(
    name="register_static",
    decorators=frozenset(("jax.tree_util.register_static", "jax._src.tree_util.register_static")),
    is_static=lambda _, __: True,
    is_frozen=False,
)
