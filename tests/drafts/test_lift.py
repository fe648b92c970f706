# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ARG005
"""The arguments, results and updates of each lifted transformation."""

import functools
import gc
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import DraftError, lift
from tests.drafts.impl import axes_of

X = jnp.arange(4.0)


@pytest.fixture
def draft(model):
    return model.State(u=jnp.arange(3.0), rng=jax.random.key(0)).draft()


def count(draft, x, *, times=1):
    draft.count += times
    draft.t += x
    return draft.t


def test_jit_passes_options_on(draft):
    traced = []

    def several(draft, x, times):
        traced.append(times)
        for _ in range(times):
            count(draft, x)

    for _ in range(2):
        lift.jit(several, static_argnums=2)(draft, 1.0, 3)
        lift.jit(several, static_argnames="times")(draft, 1.0, times=2)
    assert (int(draft.count), traced) == (10, [3, 2])
    assert lift.jit(several).__name__ == "several"


def test_jit_donates_the_draft(model):
    state = model.State(u=jnp.arange(3.0), rng=jax.random.key(0))
    draft = state.draft()
    lift.jit(lambda draft: setattr(draft, "u", draft.u + 1), donate_argnums=0)(draft)
    assert state.u.is_deleted()
    assert draft.u.tolist() == [1, 2, 3]


def test_scan_updates_the_draft(draft):
    results = lift.scan(count, draft, X)
    assert results.tolist() == [0, 1, 3, 6]
    assert lift.scan(count, draft, X, reverse=True, unroll=2).tolist() == [12, 12, 11, 9]
    lift.scan(lambda inner, x: count(inner, 1.0), draft, length=5)
    assert int(draft.count) == 13

    def add(inner, x: Any) -> Any:
        return {"sum": x["a"] + x["b"][0]}

    pairs = lift.scan(add, draft, {"a": X, "b": (X,)})
    assert pairs["sum"].tolist() == [0, 2, 4, 6]
    assert lift.scan(lambda inner, x: None, draft, X) is None


def test_while_loop_condition_reads_updates_of_the_body(draft):
    """With a `jax.Ref`, the condition would read the initial value."""
    lift.while_loop(lambda inner: inner.count < 10, increment, draft)
    assert int(draft.count) == 10


def test_checkpoint_counts_writes_once(draft):
    """A `jax.Ref` would be written a second time in the backward pass."""

    def loss(w, inner):
        return lift.checkpoint(lambda deep, x: jnp.sin(count(deep, 1.0) * x))(inner, w)

    gradient = lift.grad(loss)(2.0, draft)
    assert (int(draft.count), float(draft.t)) == (1, 1)
    assert jnp.allclose(gradient, jnp.cos(2.0))


def test_grad_returns_value_and_aux(draft):
    def loss(w, inner, scale):
        count(inner, w["a"])
        return scale * inner.t**2, w["a"]

    def value(w, inner, scale):
        return loss(w, inner, scale)[0]

    w = {"a": jnp.float32(3.0)}
    (found, aux), gradient = lift.value_and_grad(loss, has_aux=True)(w, draft, 2.0)
    assert (float(found), float(aux), float(gradient["a"]), float(draft.t)) == (18, 3, 12, 3)
    found, gradient = lift.value_and_grad(value)(w, draft, 2.0)
    assert (float(found), float(gradient["a"]), float(draft.t)) == (72, 24, 6)
    gradient, aux = lift.grad(loss, has_aux=True)(w, draft, scale=1.0)
    assert (float(gradient["a"]), float(aux)) == (18, 3)
    assert float(lift.grad(value)(w, draft, 1.0)["a"]) == 24
    assert int(draft.count) == 4


# --- vmap


def test_vmap_with_axes_of_fields(model):
    state = model.State(u=jnp.arange(6.0).reshape(3, 2), t=2.0, rng=jax.random.key(0))
    draft = state.draft()

    def scale(inner, x):
        assert (inner.u.shape, inner.t.shape) == ((3,), ())
        inner.u = inner.u * inner.t + x
        return inner.u.sum(), x

    results, xs = lift.vmap(scale, (axes_of(state, u=1), 0))(draft, jnp.array([1.0, 2.0]))
    assert results.tolist() == [15, 24]
    assert xs.tolist() == [1, 2]
    assert draft.u.T.tolist() == [[1, 5, 9], [4, 8, 12]]
    assert draft.t is state.t
    assert draft.rng is state.rng


def test_vmap_splits_keys_per_element(model):
    keys = jax.random.split(jax.random.key(0), 3)
    state = model.State(u=jnp.zeros(2), rng=keys)
    draft = state.draft()
    given = lift.vmap(lambda inner: inner.next_key(), (axes_of(state, rng=0),))(draft)
    every = jax.random.key_data(jnp.concatenate([given, draft.rng]))
    assert len({tuple(key) for key in every.tolist()}) == 6


def test_vmap_options_are_passed_on(model, draft):
    def total(inner, x):
        return jax.lax.psum(x, "i") + inner.t

    assert lift.vmap(total, (None, 0), axis_name="i")(draft, X).tolist() == [6, 6, 6, 6]
    assert lift.vmap(lambda inner: inner.t, None, axis_size=2)(draft).tolist() == [0, 0]
    out = lift.vmap(lambda inner, x: jnp.stack([x, x]), (None, 0), 1)(draft, X)
    assert out.shape == (2, 4)


# --- parts of drafts, and results


def test_nested_draft_can_be_passed_to_a_lift(model):
    draft = model.Holder(part=model.Linear(w=jnp.ones(2))).draft()
    part = draft.part

    def write(inner):
        inner.b += 1.0

    lift.jit(write)(draft.part)
    lift.scan(lambda inner, x: write(inner), part, X)
    assert part is draft.part
    assert float(part.b) == 5


def test_lifted_function_may_exchange_parts(model):
    draft = model.Model(
        first=model.Linear(w=jnp.ones(2)),
        several=[],
        named={},
        arrays={},
        layer=model.Shift(by=1.0),
        anything=None,
        grid=model.Grid(nx=1),
    ).draft()
    first, layer = draft.first, draft.layer

    def exchange(inner):
        inner.first = model.Linear(w=jnp.zeros(2))
        inner.layer = model.Stretch(scale=2.0)
        inner.layers = (inner.first, inner.first)

    lift.jit(exchange)(draft)
    assert draft.first is first
    assert first.w.tolist() == [0, 0]
    with pytest.raises(DraftError, match="this draft ended when another object replaced it"):
        _ = layer.by
    assert len(draft.freeze().layers) == 2


def test_failed_lifted_function_leaves_the_draft_unchanged(draft):
    def fails(inner):
        inner.t += 1.0
        raise KeyError("inside")

    with pytest.raises(KeyError, match="inside"):
        lift.jit(fails)(draft)
    assert float(draft.t) == 0.0


def increment(draft):
    draft.count += 1


def test_lift_with_disable_jit(draft):
    with jax.disable_jit():
        lift.jit(count)(draft, 1.0)
        lift.scan(count, draft, X)
        lift.while_loop(lambda inner: inner.count < 9, increment, draft)
        lift.cond(True, count, count, draft, 1.0)
    assert (int(draft.count), float(draft.t)) == (10, 8)


# --- caches


@pytest.mark.parametrize("name", ["jit", "checkpoint", "scan", "cond", "while_loop"])
def test_lifted_function_is_traced_once(draft, name):
    seen = []

    def write(inner, x=0.0):
        seen.append(1)
        inner.t += 1.0

    def run():
        if name == "scan":
            lift.scan(write, draft, X)
        elif name == "cond":
            lift.cond(True, write, write, draft, 1.0)
        elif name == "while_loop":
            lift.while_loop(below, write, draft)
        else:
            getattr(lift, name)(write)(draft, 1.0)

    def below(inner):
        return inner.t < 3

    run()
    assert len(seen) == 1
    run()
    run()
    assert len(seen) == 1


@pytest.mark.parametrize("name", ["jit", "checkpoint", "scan", "cond"])
def test_caches_do_not_keep_functions_alive(draft, name):
    class Big:
        __slots__ = ("__weakref__",)

    def run():
        big = Big()

        def write(inner, x):
            inner.t += 1.0
            return x + len(big.__slots__)

        if name == "scan":
            lift.scan(write, draft, X)
        elif name == "cond":
            lift.cond(True, write, write, draft, 1.0)
        else:
            getattr(lift, name)(write)(draft, 1.0)
        return weakref.ref(big)

    reference = run()
    gc.collect()
    assert reference() is None


def test_callable_objects_can_be_lifted(draft):
    class Counting:
        __slots__ = ("seen",)  # has no `__weakref__`
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, inner, x):
            self.seen = True
            return count(inner, x)

    counting = Counting()
    lift.scan(counting, draft, X)
    lift.scan(functools.partial(count, times=2), draft, X)
    assert counting.seen
    assert int(draft.count) == 12
