# mypy: disable-error-code="no-untyped-def, no-untyped-call"
"""Type arguments that a holder declares for its parts are used in checks, axes and specs."""

import importlib
import re

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import PartitionSpec as P


@pytest.fixture(scope="module")
def generics(shaped):
    return importlib.import_module(f"{shaped}.generics")


def holder(generics, **changed):
    linear = generics.Linear(w=jnp.zeros((3, 3)))
    fields = {
        "u": jnp.zeros((2, 3)),
        "boxed": generics.Box(item=jnp.zeros((3, 2)), more=(jnp.zeros((3, 2)),)),
        "pair": generics.Pair(
            first=generics.Box(item=jnp.zeros(2, jnp.int32), maybe=jnp.zeros(2, jnp.int32)),
            second={"a": generics.Box(item=linear)},
        ),
    }
    return generics.Holder(**(fields | changed))


def test_part_that_agrees_with_its_holder_passes_check(generics):
    made = holder(generics)
    assert made.check() is made
    free = generics.Box(item="whatever")
    assert free.check() is free
    number = generics.Box(item=1.0, more=(jnp.float32(2.0),))
    assert holder(generics, any=free, numbers=number).check()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda _, h: h.replace(boxed=h.boxed.replace(item=jnp.zeros((3, 2), jnp.int32))),
            "`Holder.boxed.item` is declared as an array float32[m, n], but is int32[3,2]",
        ),
        (
            lambda _, h: h.replace(boxed=h.boxed.replace(item=jnp.zeros((3, 4)))),
            "axis 1 of `Holder.boxed.item` has the size 4",
        ),
        (
            lambda _, h: h.replace(boxed=h.boxed.replace(more=(jnp.zeros((2, 2)),))),
            "axis 0 of `Holder.boxed.more[0]` has the size 2",
        ),
        (
            lambda _, h: h.replace(boxed=h.boxed.replace(item=1.0)),
            "is declared as an array float32[m, n], but is 1.0 (float): convert it with "
            "`jnp.asarray`",
        ),
        (
            lambda g, h: h.replace(pair=h.pair.replace(first=g.Box(item=jnp.zeros(3, jnp.int32)))),
            "axis 0 of `Holder.pair.first.item` has the size 3",
        ),
        (
            lambda g, h: h.replace(pair=h.pair.replace(first=g.Box(item=jnp.zeros(2)))),
            "`Holder.pair.first.item` is declared as an array int32[n], but is float32[2]",
        ),
        (
            lambda g, h: h.replace(
                pair=h.pair.replace(second={"a": g.Box(item=g.Linear(w=jnp.zeros((2, 2))))})
            ),
            "axis 0 of `Holder.pair.second['a'].item.w` has the size 2",
        ),
        (
            lambda g, h: h.replace(numbers=g.Box(item=1)),
            "`Holder.numbers.item` is declared as a float",
        ),
    ],
)
def test_part_that_disagrees_with_its_holder_fails_check(generics, change, said):
    changed = change(generics, holder(generics))
    with pytest.raises(ValueError, match=re.escape(said)):
        changed.check()


def test_parameters_of_a_subclass_are_not_bound_by_the_holder(generics):
    made = holder(generics, boxed=generics.Labelled(item=jnp.zeros((3, 2)), label=1))
    assert made.check() is made
    wrong = made.replace(boxed=generics.Labelled(item=jnp.zeros(3), label=1))
    with pytest.raises(ValueError, match=re.escape("`Holder.boxed.item` is declared as")):
        wrong.check()


def test_parameter_of_a_subclass_is_not_that_of_its_base(generics):
    made = generics.Sorted(item=jnp.zeros(4), by="name")
    assert holder(generics, boxed=made, u=jnp.zeros((2, 3))).boxed.check() is made
    with pytest.raises(ValueError, match=re.escape("`Sorted.item` has the size 3")):
        generics.Sorted(item=jnp.zeros(3), by="name").check()


def test_axes_and_specs_are_those_of_the_holder(generics):
    made = holder(generics)
    axes = made.axes("n")
    assert axes.boxed.item == 1
    assert axes.boxed.more == (1,)
    assert axes.pair.first.item == axes.pair.first.maybe == 0
    assert axes.pair.second["a"].item.w is None
    assert made.axes("m").pair.second["a"].item.w == 0
    assert made.specs().boxed.item == P(None, "rows")
    assert made.specs().pair.first.item == P("rows")
    assert made.specs().any is None


def test_vmap_of_a_holder_over_a_dimension_of_its_boxes(generics):
    made = holder(generics)
    axes = made.axes("n")
    mapped = jax.vmap(lambda one: one.boxed.item.sum() + one.pair.first.item, in_axes=(axes,))(made)
    assert mapped.shape == (2,)


def test_class_without_dimensions_is_traversed_by_its_holder(generics):
    """A box declares no dimensions of its arrays, so it has no such methods. Its holder has them."""
    box = generics.Box(item=jnp.zeros(3))
    assert not any(hasattr(box, name) for name in ("axes", "specs", "zeros", "init"))
    held = holder(generics, any=generics.Box(item=box)).axes("n")
    assert held.any.item.item is None
    with pytest.raises(ValueError, match="no dimension `k`"):
        holder(generics).axes("k")
