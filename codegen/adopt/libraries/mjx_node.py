"""mujoco.mjx: `PyTreeNode`; fields annotated `jax.Array`, or a class that has one, are leaves."""

from codegen.adopt.libraries.library import PytreeLibrary, refuse_always

LIBRARY = PytreeLibrary(
    name="mjx",
    bases=frozenset(
        (
            "mujoco.mjx._src.dataclasses.PyTreeNode",
            *(f"mujoco.mjx.{name}" for name in ("Model", "Data", "Contact", "Option", "Statistic")),
        )
    ),
    refuse=refuse_always("roles by types"),
)
