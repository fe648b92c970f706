# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ARG005
"""Drafts share no mutable state: objects, containers, keys and buffers are copied."""

import collections
import gc
import threading
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import DraftError, lift


class Pair(NamedTuple):
    one: Any
    other: Any


@pytest.fixture
def linear(model):
    return model.Linear(w=jnp.arange(2.0))


@pytest.fixture
def whole(model, linear):
    return model.Model(
        first=linear,
        layers=(linear,),
        several=[linear],
        named={"a": linear},
        arrays={"x": jnp.zeros(2)},
        layer=model.Shift(by=2.0),
        anything={"inside": linear},
        grid=model.Grid(nx=4),
    )


@pytest.fixture
def state(model):
    return model.State(u=jnp.arange(4.0), rng=jax.random.key(0))


def ordered(draft):
    return collections.OrderedDict(a=draft)


HOLDERS = {
    "itself": lambda draft: draft,
    "list": lambda draft: [draft],
    "tuple": lambda draft: (1, (draft, None)),
    "dict": lambda draft: {"a": [draft]},
    "named tuple": lambda draft: Pair(draft, 1.0),
    "another mapping": ordered,
}


def exchange_fields(draft):
    draft.first, draft.extra = draft.extra, draft.first


def exchange_field_and_item(draft):
    draft.first, draft.layers = draft.layers[0], (draft.first,)


def exchange_through_a_variable(draft):
    old = draft.first
    draft.first = draft.extra
    draft.anything = {"old": old}


@pytest.mark.parametrize(
    "change", [exchange_fields, exchange_field_and_item, exchange_through_a_variable]
)
def test_exchange_of_nested_drafts_is_an_error(model, whole, linear, change):
    draft = whole.replace(extra=linear).draft()
    with pytest.raises(DraftError, match="assigned after this draft was read"):
        change(draft)


def test_exchange_of_frozen_values_and_of_items_works(model, whole):
    one, two = (model.Linear(w=jnp.full(2, value)) for value in (1.0, 2.0))
    draft = whole.replace(first=one, extra=two, layers=(one, two)).draft()
    draft.first, draft.extra = draft.extra.freeze(), draft.first.freeze()
    draft.layers = draft.layers[::-1]
    draft.several = [draft.first, draft.layers[1]]  # read after they were assigned
    new = draft.freeze()
    parts = (new.first, new.extra, *new.layers, *new.several)
    assert [float(part.w[0]) for part in parts] == [2, 1, 2, 1, 2, 1]


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_draft_assigned_to_any_field_is_frozen_at_that_time(model, whole, hold):
    draft = whole.draft()
    draft.first.b = 1.0
    draft.anything = hold(draft.first)
    draft.first.b = 2.0
    (frozen,) = [
        part
        for part in jax.tree.leaves(
            draft.freeze().anything, is_leaf=lambda part: isinstance(part, model.Linear)
        )
        if isinstance(part, model.Linear)
    ]
    assert float(frozen.b) == 1.0


MUTABLE = {
    "named tuple": (Pair({"w": jnp.ones(2)}, 1.0), lambda it: it.one.update(w=jnp.zeros(2))),
    "another mapping": (collections.OrderedDict(w=1.0), lambda it: it.update(w=2.0)),
    "nested": ([collections.OrderedDict(w=[1.0])], lambda it: it[0]["w"].append(2.0)),
    "a default": (collections.defaultdict(list, w=[1.0]), lambda it: it["v"]),
}


@pytest.mark.parametrize(("value", "change"), MUTABLE.values(), ids=MUTABLE)
def test_no_container_is_changed_in_place(whole, value, change):
    given = whole.replace(anything=value)
    before = repr(value)
    draft = given.draft()
    change(draft.anything)
    assert repr(given.anything) == before
    with pytest.raises(DraftError, match=r"`Model\.anything` is a copy"):
        draft.freeze()

    def changes(inner):
        change(inner.anything)
        return False

    with pytest.raises(DraftError, match=r"`Model\.anything` is a copy"):
        lift.while_loop(changes, lambda inner: None, given.draft())


def test_two_threads_get_two_keys(state):
    draft = state.draft()
    keys: list[Any] = []

    def take():
        keys.extend(draft.next_key() for _ in range(20))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({bytes(jax.random.key_data(key)) for key in keys}) == 80


CONSUMED = {
    "read": lambda draft, lift: draft.first.w,
    "item of a list": lambda draft, lift: draft.several[0].w,
    "item of a dict": lambda draft, lift: draft.arrays["x"],
    "at": lambda draft, lift: draft.first.at.w[0],
    "set": lambda draft, lift: draft.first.at.w.__setitem__(0, 1.0),
    "freeze": lambda draft, lift: draft.freeze(),
    "lift": lambda draft, lift: lift.jit(lambda inner: None)(draft),
    "assigned": lambda draft, lift: setattr(draft, "extra", draft.first),
}


@pytest.mark.parametrize("use", CONSUMED.values(), ids=CONSUMED)
def test_use_of_a_consumed_array_is_a_clear_error(whole, use):
    draft = whole.draft()
    for leaf in jax.tree.leaves(whole):
        leaf.delete()
    with pytest.raises(
        DraftError, match=r"`\w+\.\w+` was consumed by a call after its draft was created"
    ):
        use(draft, lift)


def test_use_of_a_consumed_key_is_a_clear_error(state):
    draft = state.draft()
    draft.rng.delete()
    with pytest.raises(DraftError, match=r"`State\.rng` was consumed"):
        draft.next_key()


def test_consumed_field_can_be_replaced(whole, model):
    draft = whole.draft()
    for leaf in (whole.first.w, whole.first.b, whole.arrays["x"]):
        leaf.delete()
    draft.first = model.Linear(w=jnp.ones(2))
    draft.arrays = {"x": jnp.ones(2)}
    assert draft.first.w.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["jit", "checkpoint"])
def test_lifted_function_is_kept_alive_by_its_wrapper(state, name):
    def make():
        def count(draft):
            draft.count += 1

        lifted = getattr(lift, name)(count)
        # A decorator that hides the signature does this.
        del lifted.__wrapped__
        return lifted

    draft = state.draft()
    lifted = make()
    gc.collect()
    lifted(draft)
    assert int(draft.count) == 1
