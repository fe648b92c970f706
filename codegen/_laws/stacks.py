# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""The recipe of `stacked[Block, layers]`.

stacked(any_Block, "layers")    # a Block whose arrays have a leading axis
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from .content import is_key
from .draw import Draw, Recipe, Simple

T = TypeVar("T")


def stacked(recipe: Recipe[T], dims: str) -> Recipe[T]:
    """Draw an object whose arrays have leading axes, along which their elements move."""

    def function(draw: Draw) -> T:
        one, sizes = recipe.draw(draw), draw.shape(dims)

        def layers(leaf: Any) -> Any:
            if is_key(leaf):
                return jnp.broadcast_to(leaf, (*sizes, *leaf.shape))
            array = np.asarray(leaf)
            # A number is one of JAX's.
            array = array.astype(jax.dtypes.canonicalize_dtype(array.dtype))
            rows = [np.roll(array, i) for i in range(math.prod(sizes))]
            return np.asarray(rows, array.dtype).reshape(*sizes, *array.shape)

        drawn_value: T = jax.tree_util.tree_map(layers, one)
        return drawn_value

    return Simple(function)
