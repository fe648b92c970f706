"""flax.nnx: objects that are mutated in place."""

from codegen.adopted.mechanisms.mechanism import Mechanism, by_hand

MECHANISM = Mechanism(
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
    refuse=by_hand("nnx"),
)
