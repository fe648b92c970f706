"""mujoco.mjx: `PyTreeNode`; fields annotated `jax.Array`, or a class that has one, are leaves."""

from codegen.adopted.mechanisms.mechanism import Mechanism, by_hand

MECHANISM = Mechanism(
    name="mjx",
    bases=frozenset(
        (
            "mujoco.mjx._src.dataclasses.PyTreeNode",
            *(f"mujoco.mjx.{name}" for name in ("Model", "Data", "Contact", "Option", "Statistic")),
        )
    ),
    refuse=by_hand("roles by types"),
)
