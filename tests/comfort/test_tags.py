"""Test `labels` and `mask`, which return the tags of arrays as trees of the same structure."""

import importlib
from typing import Any

# mypy: disable-error-code="operator"
import jax
import optax
import pytest
from jax import numpy as jnp


@pytest.fixture(scope="module")
def tags(plates: Any) -> Any:
    """The module of `schemas/tags.pyi`."""
    return importlib.import_module(f"{plates.__package__}.tags")


def _linear(tags: Any) -> Any:
    return tags.Linear(jnp.ones(2), jnp.ones(2))


@pytest.fixture
def net(tags: Any) -> Any:
    """An object that holds other objects in all possible ways."""
    head = tags.Head(jnp.ones(2), jnp.ones(2), jnp.ones(()))
    state = {"moments": head, "count": jnp.zeros(())}
    return tags.Net(_linear(tags), {"a": (_linear(tags), head)}, maybe=head, state=state, rate=0.5)


def test_innermost_tag_wins(net: Any) -> None:
    labels = net.labels()
    assert (labels.first.w, labels.first.b) == ("decay", "frozen")
    assert (labels.rest["a"][0].b, labels.rest["a"][1].gain) == ("rest", "gain")
    assert (labels.maybe.w, labels.maybe.b) == ("decay", "")
    # Foreign containers hold objects that have their own tags.
    assert (labels.state["count"], labels.state["moments"].w) == ("state", "decay")
    assert (labels.rate, labels.name) == ("", "net")
    mask = net.mask("decay")
    # `labels` uses the first of several tags, `mask` all of them.
    assert (mask.first.w, mask.first.b, mask.maybe.gain, mask.rate) == (True, False, True, False)
    assert jax.tree.leaves(mask).count(True) == 8
    for tree in (labels, mask, jax.jit(lambda net: net.mask("gain"))(net)):
        assert jax.tree.structure(tree) == jax.tree.structure(net)


def test_labels_need_no_values(tags: Any, net: Any) -> None:
    shapes = tags.Linear.abstract(m=3)
    assert repr(shapes.labels()) == "Linear(w='decay', b='')"
    assert jax.tree.leaves(jax.eval_shape(lambda net: net, net).mask("rest")).count(True) == 2
    assert shapes.like(None, w=object()).mask("decay").w is True


def test_shared_part_is_labelled_only_at_its_owner(tags: Any) -> None:
    linear = _linear(tags)
    labels = tags.Tied(linear, linear).labels()
    assert labels.first is labels.other
    assert jax.tree.leaves(labels) == ["decay", "owner"]


def test_undeclared_tag_is_an_error(net: Any) -> None:
    listed = "`decay`, `frozen`, `gain`, `rest`, `state`"
    with pytest.raises(ValueError, match=rf"^`Net` has no tag `forzen`. It has {listed}$"):
        net.mask("forzen")
    with pytest.raises(ValueError, match=r"`Net` has no tag `1`"):
        net.mask(1)
    # The known tags depend on the class, not on the current content of its containers.
    assert not any(jax.tree.leaves(net.replace(rest={}, maybe=None, state=None).mask("gain")))


def test_tags_of_subclasses_of_an_abstract_class_are_used(tags: Any) -> None:
    one, zero = jnp.ones(()), jnp.zeros(())
    found = [tags.Optimiser(tags.Decaying(one, decay=zero)), tags.Optimiser(tags.Plain(one))]
    assert [jax.tree.leaves(each.labels()) for each in found] == [["", "decay"], [""]]


# --- optax


@pytest.fixture(params=["Net", "Called"])
def model(request: pytest.FixtureRequest, tags: Any) -> Any:
    """An object without `__call__`, and one that optax takes for a function."""
    if request.param == "Called":
        return tags.Called(_linear(tags))
    return tags.Net(_linear(tags), {"a": (_linear(tags),)}, rate=jnp.asarray(0.5))


def updated(transform: Any, model: Any) -> Any:
    """Return the update for gradients of 1."""
    ones = jax.tree.map(jnp.ones_like, model)
    return jax.jit(transform.update)(ones, transform.init(model), model)[0]


@pytest.mark.parametrize("split", [optax.multi_transform, optax.partition])
def test_labels_work_with_optax(model: Any, split: Any) -> None:
    rates = {"decay": 0.1, "frozen": 0.0, "rest": 10.0, "": 1.0}
    sgd = {tag: optax.sgd(rate) for tag, rate in rates.items()}
    tagged = jax.tree.map(lambda tag, x: jnp.full_like(x, -rates[tag]), model.labels(), model)
    first = jax.tree.map(lambda x: jnp.full_like(x, -1.0), model).replace(rate=jnp.asarray(-0.1))
    for labels, expected in (
        (lambda params: params.labels(), tagged),
        (type(model).labels, tagged),
        (lambda params: params.like("", rate="decay"), first),
    ):
        assert updated(split(sgd, labels), model) == expected


def test_masks_work_with_optax(model: Any) -> None:
    decay = optax.add_decayed_weights(0.5)
    for mask, expected in (
        (lambda params: params.mask("decay"), model.mask("decay")),
        (model.mask("decay"), model.mask("decay")),
        (lambda params: params.like(False, rate=True), model.like(False, rate=True)),
    ):
        found = updated(optax.masked(decay, mask), model)
        assert jax.tree.map(lambda x: bool((x > 1.0).all()), found) == expected


def test_mask_works_inside_other_transformations_of_optax(model: Any) -> None:
    """`inject_hyperparams` takes a function for a schedule, unless it is a static argument."""
    decay = optax.inject_hyperparams(optax.add_decayed_weights, static_args=("mask",))
    nested = optax.multi_transform(
        {"decay": decay(0.5, mask=lambda params: params.mask("decay")),
         "frozen": optax.set_to_zero(), "rest": optax.set_to_zero(), "": optax.sgd(1.0)},
        lambda params: params.labels(),
    )  # fmt: skip
    found = updated(nested, model)
    factors = {"decay": 1.5, "frozen": 0.0, "rest": 0.0, "": -1.0}
    assert found == jax.tree.map(
        lambda tag, x: jnp.full_like(x, factors[tag]), model.labels(), model
    )
