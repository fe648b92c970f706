"""What type checkers see: a wrapped transformation is typed as the transformation itself.

`mypy --strict` reads this too. What JAX's own stubs leave open, as of `jax.grad`, stays so.
"""

import functools
from collections.abc import Callable
from typing import assert_type

import jax
import jax.numpy as jnp
from jax import Array

from generated._runtime.identities import preserve_identities


def scale(x: Array, n: int = 1) -> Array:
    return x * n


def test_the_functions_keep_their_types() -> None:
    x = jnp.ones(3)
    assert_type(preserve_identities(jax.vmap)(scale, in_axes=(0, None))(x, 2), Array)
    assert_type(preserve_identities(jax.vmap)(scale)(x), Array)


def test_what_is_compiled_has_its_stages() -> None:
    jitted = preserve_identities(jax.jit)(scale, static_argnames="n")
    x = jnp.ones(3)
    assert_type(jitted.lower(x, n=2), jax.stages.Lowered)
    assert_type(jitted.trace(x, n=2), jax.stages.Traced)
    partial = preserve_identities(functools.partial(jax.jit, static_argnames="n"))(scale)
    assert partial(x, n=2).tolist() == jitted(x, n=2).tolist() == [2.0, 2.0, 2.0]


def test_a_transformation_of_ones_own() -> None:
    def same(function: Callable[[Array, int], Array]) -> Callable[[Array, int], Array]:
        return function

    assert_type(preserve_identities(same)(scale), Callable[[Array, int], Array])
