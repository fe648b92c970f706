"""flax.nnx: objects that are mutated in place."""

from codegen.adopt.libraries.library import PytreeLibrary, refuse_always

LIBRARY = PytreeLibrary(
    name="flax.nnx",
    bases=frozenset(
        (
            "flax.nnx.Module",
            "flax.nnx.Pytree",
            "flax.nnx.Object",
            "flax.nnx.module.Module",
            "flax.nnx.pytreelib.Pytree",
        )
    ),
    refuse=refuse_always("nnx"),
)
