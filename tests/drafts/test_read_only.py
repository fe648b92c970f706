# mypy: disable-error-code="no-untyped-def"
"""A field that is read-only in a lift is also read-only in nested lifts."""

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import DraftError, lift
from tests.drafts.impl import axes_of

WRITES = {
    "a number": lambda inner: setattr(inner, "t", inner.t + 1),
    "an item": lambda inner: inner.at.u.__setitem__(0, 1.0),
    "a key": lambda inner: inner.next_key(),
}
NESTED = ("nothing", "jit", "checkpoint", "cond", "scan", "while_loop", "grad", "vmap")


@pytest.fixture
def state(model):
    return model.State(u=jnp.full(4, 3.0), t=1.0, rng=jax.random.key(0))


def nested(lift, inner, write):
    """Return a function of a draft that calls `write` in a nested lift."""

    def void(draft, *_):
        write(draft)

    def call(draft):
        match inner:
            case "nothing":
                void(draft)
            case "jit" | "checkpoint":
                getattr(lift, inner)(void)(draft)
            case "cond":
                lift.cond(jnp.array(True), void, void, draft)
            case "scan":
                lift.scan(void, draft, jnp.arange(2))
            case "while_loop":
                lift.while_loop(lambda draft: draft.count < 0, void, draft)
            case "grad":
                lift.grad(lambda x, draft: (void(draft), x)[1])(jnp.array(1.0), draft)
            case _:
                lift.vmap(void, (None, 0))(draft, jnp.arange(2))

    return call


def twice(lift, inner, write):
    """Return a function that calls `write` two lifts below."""
    return nested(lift, "jit", nested(lift, inner, write))


@pytest.mark.parametrize("below", [nested, twice])
@pytest.mark.parametrize("inner", NESTED)
@pytest.mark.parametrize("name", ["a number", "a key"])
def test_write_to_field_without_axis_in_nested_lift_is_an_error(state, name, inner, below):
    draft = state.draft()
    call = below(lift, inner, WRITES[name])
    # The function is also traced where it may write. JAX must not reuse that trace here.
    if inner != "vmap":
        call(state.draft())
    with pytest.raises(
        DraftError, match=r"the `in_axes` of `lift.vmap` has no axis for all or part of it"
    ):
        lift.vmap(call, (axes_of(state, u=0),))(draft)
    assert draft.t == 1
    assert (draft.rng == state.rng).all()


@pytest.mark.parametrize("inner", NESTED)
@pytest.mark.parametrize("name", WRITES)
def test_write_in_condition_in_nested_lift_is_an_error(state, name, inner):
    def condition(draft):
        nested(lift, inner, WRITES[name])(draft)
        return draft.count < 3

    def count(draft):
        draft.count += 1

    draft = state.draft()
    with pytest.raises(DraftError, match=r"written"):
        lift.while_loop(condition, count, draft)
    assert draft.u.tolist() == [3, 3, 3, 3]


@pytest.mark.parametrize("inner", ["nothing", "jit", "scan"])
def test_write_to_array_without_axis_beside_an_object_is_an_error(model, inner):
    linear = model.Linear(w=jnp.arange(4.0))
    mixed = model.Mixed(pair=(linear, 1.0), table={"a": linear, "b": 2.0})
    axes = jax.tree_util.tree_map_with_path(
        lambda path, _: 0 if jax.tree_util.keystr(path).endswith(".w") else None, mixed
    )

    def table(draft):
        draft.table = {**draft.table, "b": 3.0}

    def pair(draft):
        draft.pair = (draft.pair[0], draft.pair[1] + 1)

    def part(draft):
        draft.pair[0].w = draft.pair[0].w + 1

    draft = mixed.draft()
    for write in (table, pair):
        with pytest.raises(DraftError, match=r"has no axis for all or part of it"):
            lift.vmap(nested(lift, inner, write), (axes,))(draft)
    lift.vmap(nested(lift, inner, part), (axes,))(draft)
    assert draft.pair[0].w.tolist() == [x + (2 if inner == "scan" else 1) for x in range(4)]
    assert draft.pair[1] == 1
