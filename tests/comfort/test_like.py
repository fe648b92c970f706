"""Test `like`, which creates a tree of the same structure for in_axes, masks and labels."""

from typing import Any

# mypy: disable-error-code="operator"
import jax
import optax
import pytest
from jax import numpy as jnp


def test_like_replaces_fields_by_values(plates: Any, plate: Any) -> None:
    axes = plate.like(None, u=0)
    assert type(axes) is plates.Plate
    assert (axes.u, axes.t, axes.cell.u, axes.cells[1].bias) == (0, None, None, None)
    assert axes.settings is plate.settings
    # The value replaces the whole field.
    prefix = plate.like(False, cell=True, cells=plate.cells)
    assert prefix.cell is True
    assert prefix.cells is plate.cells
    marker = object()
    assert jax.tree.leaves(plate.like(marker)) == [marker] * len(jax.tree.leaves(plate))
    assert jax.tree.structure(plate.like("x")) == jax.tree.structure(plate)


def test_like_sets_a_shared_part_only_at_its_owner(plates: Any) -> None:
    cell = plates.Cell(jnp.ones(2))
    tied = plates.Tied(cell, cell)
    assert tied.like(None, cell=0).other == 0
    with pytest.raises(
        TypeError, match=r"`Tied\.like` cannot fill `other`\. It can fill only .*`cell`"
    ):
        tied.like(None, other=0)
    holder = plates.Holds(cell, plates.Pair(cell, bias=1.0))
    assert holder.like(None, pair=0).pair == 0
    with pytest.raises(
        TypeError, match=r"`Lends\.like` cannot fill `only`\. It can fill only .*`cell`"
    ):
        plates.Lends(cell, plates.One(cell)).like(None, only=0)


def test_like_as_in_axes_of_vmap(plates: Any, plate: Any) -> None:
    cell = plates.Cell(jnp.arange(6.0).reshape(3, 2), bias=1.0)
    axes = cell.like(None, u=0)
    total = jax.vmap(lambda c: c.u.sum() + c.bias, in_axes=(axes,))(cell)
    assert total.tolist() == [2.0, 6.0, 10.0]
    nested = plates.Plate(u=jnp.ones((3, 2, 2)), cell=cell, named={})
    for given in (nested.like(None, u=0, cell=cell.like(None, u=0)), nested.like(None, u=0)):
        out = jax.vmap(lambda p: p.u.sum() + p.t, in_axes=(given,))(nested)
        assert out.tolist() == [4.0] * 3


def test_like_as_mask_and_labels_of_optax(plates: Any) -> None:
    cell = plates.Cell(jnp.ones(2), bias=1.0)
    transforms = {"sgd": optax.sgd(1.0), "frozen": optax.set_to_zero()}
    for given in (
        optax.masked(optax.set_to_zero(), cell.like(True, u=False)),
        optax.multi_transform(transforms, cell.like("frozen", u="sgd")),
    ):
        updates, _ = given.update(cell, given.init(cell))
        assert updates.bias == 0.0
        assert jnp.abs(updates.u).tolist() == [1.0, 1.0]


def test_like_keeps_shared_parts_shared(plates: Any) -> None:
    cell = plates.Cell(jnp.ones((3, 2)), bias=1.0)
    tied = plates.Tied(cell, cell)
    for axes in (tied.like(None, cell=0), tied.like(None, cell=cell.like(None, u=0))):
        bias = jnp.ones(3) if axes.cell == 0 else 1.0
        given = tied.replace(cell=cell.replace(bias=bias))
        out = jax.vmap(lambda t: t.other.u.sum() + t.cell.bias, in_axes=(axes,))(given)
        assert out.tolist() == [3.0] * 3
    with pytest.raises(TypeError, match=r"cannot fill `other`"):
        tied.like(None, other=0)


def test_like_with_unknown_field_is_an_error(plate: Any) -> None:
    for name, text in (
        ("settings", r"cannot fill `settings`\. .* static field, call `replace`"),
        ("uu", r"`Plate\.like` cannot fill `uu`\. It can fill only `u`, `cell`, "),
    ):
        with pytest.raises(TypeError, match=text):
            plate.like(None, **{name: 1})
    with pytest.raises(TypeError):
        plate.like()


def test_errors_of_the_constructor_mention_like(plates: Any) -> None:
    for value in (None, "label"):
        with pytest.raises(TypeError, match=r"`like`"):
            plates.Cell(value)
