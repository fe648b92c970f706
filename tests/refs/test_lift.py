"""Drafts of objects with Refs, outside of lifts and in each of them."""

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import lift


@pytest.fixture
def obj(cache: Any) -> Any:
    return cache.Cache(jnp.ones((3, 2)), jnp.ones(3))


@pytest.fixture
def draft(obj: Any) -> Any:
    return obj.draft()


def write(draft: Any, x: Any) -> Any:
    """Write the Ref, the array and the number; return a value that depends on all."""
    draft.k[0] = draft.k[0] * 2 + x
    draft.at.u[0] += x
    draft.t += 1
    return draft.k[0, 0] + draft.u[0]


def expected(steps: int) -> tuple[float, float]:
    k, u = 1.0, 1.0
    for _ in range(steps):
        k, u = 2 * k + 1, u + 1
    return k, u


def test_draft_reads_and_keeps_the_ref(cache: Any, obj: Any, draft: Any) -> None:
    assert draft.k is obj.k
    with pytest.raises(
        AttributeError, match=r"`Cache\.k` is a Ref: .*`draft\.k\[\.\.\.\] = value`"
    ):
        draft.k = jnp.ones((3, 2))
    with pytest.raises(RuntimeError, match=r"`Cache\.k` is a Ref: .*`draft\.k\[index\] = value`"):
        draft.at.k[0] = 1.0
    draft.k[0] = draft.k[1] + 1
    assert draft.freeze().k is obj.k
    assert obj.k[0].tolist() == [2, 2]
    pair = cache.Pair(
        obj, cache.Cache(jnp.ones((3, 2)), jnp.ones(3)), jax.new_ref(jax.random.key(0))
    )
    nested = pair.draft()
    with pytest.raises(RuntimeError, match="does not contain a single key"):
        nested.next_key()
    assert nested.first.k is obj.k


@pytest.mark.parametrize("name", ["jit", "checkpoint", "scan", "while_loop", "cond", "grad"])
@pytest.mark.parametrize("is_traced", [False, True])
def test_lift_passes_refs_through(obj: Any, name: str, is_traced: bool) -> None:
    def loss(w: Any, inner: Any) -> Any:
        return jax.lax.stop_gradient(write(inner, 1.0)) * w

    calls = {
        "jit": (1, lambda draft: lift.jit(write)(draft, 1.0)),
        "checkpoint": (1, lambda draft: lift.checkpoint(write)(draft, 1.0)),
        "scan": (3, lambda draft: lift.scan(write, draft, jnp.ones(3))),
        "while_loop": (
            4,
            lambda draft: lift.while_loop(
                lambda d: d.t < 4, lambda d: [write(d, 1.0), None][1], draft
            ),
        ),
        "cond": (1, lambda draft: lift.cond(draft.t < 1, write, lambda _, x: x, draft, 1.0)),
        "grad": (1, lambda draft: lift.grad(loss)(2.0, draft)),
    }
    steps, call = calls[name]

    def run(obj: Any) -> Any:
        draft = obj.draft()
        call(draft)
        new = draft.freeze()
        assert new.k is obj.k
        return new.u, new.t

    for _ in range(2):  # With another Ref, the function is not traced for the first one.
        fresh = obj.replace(k=jnp.ones((3, 2)))
        u, t = (jax.jit(run) if is_traced else run)(fresh)
        assert (fresh.k[0, 0], u[0]) == expected(steps)
        assert t == steps


def test_lift_vmap_gives_each_element_its_part(obj: Any) -> None:
    draft = obj.draft()

    def element(inner: Any, x: Any) -> Any:
        inner.k[0] = inner.k[1] + x
        inner.u = inner.u + x
        return inner.u

    axes = obj.axes("n")
    assert axes.k == 0
    found = lift.vmap(element, in_axes=(axes, 0))(draft, jnp.arange(3.0))
    new = draft.freeze()
    assert new.k is obj.k
    assert found.tolist() == new.u.tolist() == [1, 2, 3]
    assert obj.k[...].tolist() == [[1, 1], [2, 1], [3, 1]]


def test_lift_names_the_field_that_it_refuses(obj: Any, cache: Any) -> None:
    def unmapped(inner: Any, x: Any) -> None:
        inner.k[0] = x

    axes = obj.like(None)
    with pytest.raises(
        Exception, match=r"`Cache\.k` in `lift\.vmap` is a Ref: `vmap` cannot write it"
    ):
        lift.vmap(unmapped, in_axes=(axes, 0))(obj.draft(), jnp.ones((3, 2)))
    with pytest.raises(
        RuntimeError, match=r"`Cache\.k` was read in the condition of `lift\.while_loop`"
    ):
        lift.while_loop(lambda d: d.k[0, 0] < 4, lambda _: None, obj.draft())
    with pytest.raises(ValueError, match=r"`Cache\.k` in `lift\.jit` is a Ref: .* from outside"):
        lift.jit(lambda _: obj.k[0])(obj.draft())
    with pytest.raises(TypeError, match=r"cannot differentiate with respect to `w\.k`"):
        lift.grad(lambda w, _: w.u.sum())(obj, obj.draft())
    pair = cache.Pair(
        obj, cache.Cache(jnp.ones((3, 2)), jnp.ones(3)), jax.new_ref(jax.random.key(0))
    )

    def assign(draft: Any) -> None:
        draft.first = draft.first.freeze().replace(k=jnp.ones((3, 2)))

    with pytest.raises(TypeError, match=r"`Pair\.first\.k` is another Ref after `lift\.jit`"):
        lift.jit(assign)(pair.draft())
    assert obj.k[...].tolist() == [[1, 1]] * 3
