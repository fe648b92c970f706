"""mjx, in short."""

import jax

from mujoco.mjx._src.dataclasses import PyTreeNode


class Data(PyTreeNode):
    time: jax.Array
    size: int
