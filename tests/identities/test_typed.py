"""A wrapped transformation has the type of the transformation itself.

`mypy --strict` checks this file too. Types that the stubs of JAX leave open, as for `jax.grad`, stay open.
"""

import functools
from collections.abc import Callable
from typing import assert_type

import jax
import jax.numpy as jnp
from jax import Array

from codegen.runtime import preserve_identities


def scale(x: Array, n: int = 1) -> Array:
    return x * n


def test_wrapped_functions_keep_their_types() -> None:
    x = jnp.ones(3)
    assert_type(preserve_identities(jax.vmap)(scale, in_axes=(0, None))(x, 2), Array)
    assert_type(preserve_identities(jax.vmap)(scale)(x), Array)


def test_wrapped_jit_has_the_types_of_its_stages() -> None:
    jitted = preserve_identities(jax.jit)(scale, static_argnames="n")
    x = jnp.ones(3)
    assert_type(jitted.lower(x, n=2), jax.stages.Lowered)
    assert_type(jitted.trace(x, n=2), jax.stages.Traced)
    partial = preserve_identities(functools.partial(jax.jit, static_argnames="n"))(scale)
    assert partial(x, n=2).tolist() == jitted(x, n=2).tolist() == [2.0, 2.0, 2.0]


def test_custom_transformation_keeps_the_type() -> None:
    def same(function: Callable[[Array, int], Array]) -> Callable[[Array, int], Array]:
        return function

    assert_type(preserve_identities(same)(scale), Callable[[Array, int], Array])
