# mypy: disable-error-code="no-untyped-def, no-untyped-call"
"""Dimensions of a part, named by its holder, if the part is of a subclass of the declared class."""

import importlib
import re

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import PartitionSpec as P

X, Y = 3, 5
# For each class below `Base[x, y]`: its fields, with the holder's dimensions for their axes.
BELOW = {
    "Base": {"w": "x y"},
    "Turned": {"w": "x y", "v": "y x"},
    "Back": {"w": "x y", "v": "y x", "u": "x y"},
    "Renamed": {"w": "x y", "v": "y x"},
    "Kept": {"w": "x y", "v": "y"},
    "Anew": {"w": "x y"},
    "Some": {"w": "x y", "v": "y"},
}
SHARDED = {"x": "rows", "y": "cols"}


@pytest.fixture(scope="module")
def chains(shaped):
    return importlib.import_module(f"{shaped}.chains")


def create(chains, name, x=X, y=Y):
    sizes = {"x": x, "y": y}
    arrays = {f: jnp.zeros([sizes[d] for d in dims.split()]) for f, dims in BELOW[name].items()}
    return getattr(chains, name)(**arrays)


@pytest.mark.parametrize("name", BELOW)
@pytest.mark.parametrize("holder", ["Hold", "Row", "Either"])
def test_axes_and_specs_are_those_of_the_declared_class(chains, holder, name):
    part = create(chains, name)
    held = getattr(chains, holder)((part,) if holder == "Row" else part).check()

    def inner(obj):
        return obj.ps[0] if holder == "Row" else obj.p

    for dim in ("x", "y"):
        for field, dims in BELOW[name].items():
            expected = dims.split().index(dim) if dim in dims.split() else None
            assert getattr(inner(held.axes(dim)), field) == expected
    for field, dims in BELOW[name].items():
        spec = P(*(SHARDED[dim] for dim in dims.split()))
        assert getattr(inner(held.specs()), field) == spec


@pytest.mark.parametrize("name", BELOW)
def test_objects_of_several_classes_agree(chains, name):
    both = chains.Row((create(chains, name), create(chains, "Base")))
    assert both.check() is both
    wrong = chains.Row((create(chains, name), create(chains, "Base", x=Y, y=X)))
    with pytest.raises(ValueError, match=re.escape("`Row.ps[")):
        wrong.check()


def test_vmap_over_a_dimension_of_the_holder_maps_its_part(chains):
    held = chains.Hold(chains.Turned(jnp.arange(9.0).reshape(3, 3), jnp.zeros((3, 3))))
    mapped = jax.vmap(lambda one: one.p.w, in_axes=(held.axes("x"),))(held)
    assert (mapped == held.p.w).all()


def test_arithmetic_dimensions_of_a_subclass(chains):
    plus = chains.Hold(chains.Plus(jnp.zeros((6, 5)), jnp.zeros(5))).check()
    assert (plus.axes("x").p.w, plus.axes("x").p.v) == (0, None)
    assert (plus.axes("y").p.w, plus.axes("y").p.v) == (1, 0)
    assert plus.specs().p.w == P("rows", "cols")
    ten = chains.Hold(chains.Ten(jnp.zeros((3, 10)), jnp.zeros((10, 3)))).check()
    assert (ten.axes("x").p.w, ten.axes("x").p.v) == (0, 1)
    # The holder does not declare that its own array has the same size.
    assert (ten.axes("y").p.w, ten.axes("y").p.v) == (1, None)
    row = (ten.p, create(chains, "Base"))
    with pytest.raises(
        ValueError, match=re.escape("`y` is 10 according to axis 1 of `Row.ps[0].w`")
    ):
        chains.Row(row).check()


def test_two_dimensions_of_the_holder_for_one_of_the_class_must_agree(chains):
    held = chains.Hold(chains.Square(jnp.zeros((4, 4)), jnp.zeros(4))).check()
    assert [held.axes(dim).p.w for dim in ("x", "y")] == [0, 1]
    assert [held.axes(dim).p.v for dim in ("x", "y")] == [0, 0]
    assert held.specs().p.w == P("rows", "cols")
    with pytest.raises(ValueError, match=re.escape("Hold.p.w")):
        chains.Hold(chains.Square(jnp.zeros((4, 5)), jnp.zeros(4))).check()


def test_dimension_that_is_no_parameter_is_that_of_the_holder(chains):
    named = chains.Named(jnp.zeros((3, 5)), jnp.zeros((3, 5)))
    held = chains.Hold(named, q=jnp.zeros(3)).check()
    for dim in ("x", "z"):
        assert held.axes(dim).p.w == 0
    assert held.axes("z").p.v == held.axes("z").q == 0
    with pytest.raises(ValueError, match=re.escape("Hold.")):
        held.replace(q=jnp.zeros(4)).check()


def test_intermediate_class_without_parameters(chains):
    last = chains.Last(jnp.zeros((3, 7)), jnp.zeros((7, 3)), jnp.zeros((3, 7)), jnp.zeros(2))
    axes = last.check().axes("x")
    assert (axes.w, axes.v, axes.t, axes.u) == (1, 0, 1, None)
    axes = chains.Turn(last).check().axes("x").p
    assert (axes.w, axes.v, axes.t, axes.u) == (1, 0, 1, None)
    axes = chains.Turn(last).axes("y").p
    assert (axes.w, axes.v, axes.t, axes.u) == (0, 1, None, None)
    with pytest.raises(ValueError, match=re.escape("`Last.w`")):
        last.replace(w=jnp.zeros((4, 7))).check()


def test_class_outside_a_holder_has_its_own_dimension_names(chains):
    turned = create(chains, "Turned").check()
    assert (turned.axes("a").w, turned.axes("a").v) == (1, 0)
    renamed = create(chains, "Renamed").check()
    assert (renamed.axes("c").w, renamed.axes("c").v) == (0, 1)
    with pytest.raises(ValueError, match="no dimension `b`"):
        renamed.axes("b")


@pytest.mark.parametrize("name", ["Box", "Sized", "Other"])
def test_type_parameters_are_those_of_the_declared_class(chains, name):
    more = () if name == "Box" else (jnp.zeros(7),)
    part = getattr(chains, name)(create(chains, "Turned"), *more)
    held = chains.Boxes(part).check()
    assert (held.axes("x").p.t.w, held.axes("x").p.t.v) == (0, 1)
    assert held.specs().p.t.w == P("rows", "cols")
    wrong = held.replace(r=jnp.zeros(4))
    with pytest.raises(ValueError, match=re.escape("`y` is")):
        wrong.check()


def test_type_parameters_with_other_names_in_the_subclass(chains):
    turned = create(chains, "Turned")
    held = chains.Boxes(chains.Other(turned, jnp.zeros(7), more=(turned,), free=2)).check()
    assert held.axes("x").p.more[0].w == 0
    assert held.axes("x").p.free is None


def test_type_arguments_of_a_base_agree_with_the_holder(chains):
    box = chains.Box(create(chains, "Base"))
    held = chains.Boxes(box, q=chains.Sure(jnp.zeros(5), 1)).check()
    assert held.axes("z").q.t == 0
    wrong = held.replace(q=chains.Sure(jnp.zeros(4), 1))
    with pytest.raises(ValueError, match=re.escape("`Boxes.q")):
        wrong.check()
