"""Classes with their own flatten functions or `tree_flatten`: reported, not rewritten."""

from codegen.adopt.libraries.library import PytreeLibrary, refuse_always

_FUNCTIONS = (
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
)

LIBRARY = PytreeLibrary(
    name="flattened by hand",
    decorators=frozenset(
        f"{module}.{name}"
        for module in ("jax.tree_util", "jax._src.tree_util")
        for name in _FUNCTIONS
    ),
    refuse=refuse_always("own flatten"),
)
