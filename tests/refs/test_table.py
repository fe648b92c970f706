"""What plain JAX does with a Ref holds for the Ref of a generated object, in generated functions and outside of them.

The results are the same with JAX 0.10.2 and 0.12.0.1.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.refs import impl

WRITTEN = [[2, 2], [2, 2], [2, 2]]


@pytest.fixture
def obj(cache: Any) -> Any:
    return cache.Cache(jnp.ones((3, 2)), jnp.ones(3))


def double(ref: Any) -> None:
    ref[...] = ref[...] * 2


def in_jit(obj: Any) -> Any:
    jax.jit(double)(obj.k)
    return obj


def in_cond(obj: Any) -> Any:
    jax.lax.cond(obj.u[0] > 0, lambda: double(obj.k), lambda: None)
    return obj


def closed_over_by_scan(obj: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        obj.k[...] = obj.k[...] + 0.5
        return carry, None

    jax.lax.scan(step, 0, length=2)
    return obj


def in_checkpoint(obj: Any) -> Any:
    jax.checkpoint(lambda: double(obj.k))()
    return obj


def under_grad(obj: Any) -> Any:
    def loss(u: Any) -> Any:
        double(obj.k)
        return (u**2).sum()

    return obj.replace(u=jax.grad(loss)(obj.u))


def in_vmap(obj: Any) -> Any:
    jax.vmap(double)(obj.k)
    return obj


WRITES = (in_jit, in_cond, closed_over_by_scan, in_checkpoint, under_grad, in_vmap)


@pytest.mark.parametrize("write", WRITES, ids=lambda one: one.__name__)
def test_write_works(cache: Any, obj: Any, write: Callable[[Any], Any]) -> None:
    impl.known["test"] = write
    cache.run.clear_cache()
    result = cache.run(obj, "test")
    assert result.k is obj.k
    assert obj.k[...].tolist() == WRITTEN
    assert result.u.tolist() == ([2] * 3 if write is under_grad else [1] * 3)
    # Under plain transformations of an object, outside of any generated function.
    plain = obj.replace(k=jnp.ones((3, 2)), u=jnp.ones(3))
    jax.jit(lambda given: jax.tree_util.tree_leaves(write(given).u)[0])(plain)
    assert plain.k[...].tolist() == WRITTEN


def test_vmap_with_axes_of_the_object(cache: Any, obj: Any) -> None:
    found = jax.vmap(cache.peek, in_axes=(obj.axes("n"),))(obj)
    assert found.tolist() == [2, 2, 2]


def loop(obj: Any) -> Any:
    """Return the object from a loop whose condition reads the Ref."""

    def body(i: Any) -> Any:
        double(obj.k)
        return i + 1

    jax.lax.while_loop(lambda i: (obj.k[0, 0] < 8) & (i < 9), body, 0)
    return obj


# Eager calls, or plain `jit` of objects: the error is JAX's.
REFUSED: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "return from jit": (jax.jit(lambda given: given), ValueError),
    "carry in scan": (
        lambda obj: jax.lax.scan(lambda carry, _: (carry, None), obj, length=2),
        ValueError,
    ),
    "twice in a call": (
        lambda obj: jax.jit(lambda one, other: one.u + other.u)(obj, obj.replace(u=obj.u + 1)),
        ValueError,
    ),
    # With 0.12 it is a TypeError.
    "grad": (jax.grad(lambda given: given.k[0, 0]), (AttributeError, TypeError)),
    "while_loop": (loop, ValueError),
    "device_put": (lambda obj: jax.device_put(obj, jax.devices()[0]), TypeError),
}


@pytest.mark.parametrize("case", REFUSED)
def test_plain_jax_refuses(obj: Any, case: str) -> None:
    use, error = REFUSED[case]
    with pytest.raises(error):
        use(obj)
    assert np.asarray(obj.u).tolist() == [1, 1, 1]
    assert obj.k[...].tolist() == [[1, 1]] * 3
