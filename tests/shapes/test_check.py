# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""Test `check()`, which verifies every dtype, rank and size of an object."""

import copy
import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.inputs import examples


def five(parts, nx=4, ny=5, **changed):
    fields = {
        "a": jnp.zeros((nx, ny)),
        "b": jnp.zeros((nx, ny)),
        "c": jnp.zeros(ny),
        "e": jnp.zeros(ny + 1, jnp.int32),
    }
    return parts.Five(**(fields | changed))


def plate(parts, **changed):
    fields = {
        "u": jnp.zeros((3, 4)),
        "alpha": jnp.zeros((3, 4)),
        "grid": parts.Grid(nx=3),
    }
    return parts.Plate(**(fields | changed))


def linear(parts, n_in, n_out):
    return parts.Linear(w=jnp.zeros((n_in, n_out)), b=jnp.zeros(n_out))


def mlp(parts, **changed):
    fields = {
        "first": linear(parts, 6, 5),
        "middle": (linear(parts, 5, 5), linear(parts, 5, 5)),
        "last": linear(parts, 5, 3),
        "rng": jax.random.key(0),
    }
    return parts.Mlp(**(fields | changed))


def containers(parts, **changed):
    fields = {
        "items": [jnp.zeros(3), jnp.zeros(3)],
        "table": {"a": linear(parts, 3, 3)},
        "record": (jnp.zeros(3), 1),
        "maybe": None,
        "either": jnp.zeros(7),
        "free": linear(parts, 8, 9),
        "anything": {"of": ["any", 1.0]},
    }
    return parts.Containers(**(fields | changed))


def refused(obj):
    """Return the error message of `check` for a wrong object."""
    with pytest.raises(ValueError, match=r"`\w+") as error:
        obj.check()
    return str(error.value)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (
            "b",
            jnp.zeros((4, 6)),
            "axis 1 of `Five.b` has the size 6 and is declared as `ny`, but `ny` is 5 according to axis 1 "
            "of `Five.a`",
        ),
        (
            "b",
            jnp.zeros((4, 5, 1)),
            "`Five.b` is declared as an array float32[nx, ny], but is float32[4,5,1]: "
            "the number of axes differs",
        ),
        (
            "c",
            jnp.zeros(5, jnp.int32),
            "`Five.c` is declared as an array float32[ny], but is int32[5]: "
            "convert it with `.astype('float32')`",
        ),
        (
            "e",
            jnp.zeros(5, jnp.int32),
            "axis 0 of `Five.e` has the size 5 and is declared as `ny + 1`, which is 6, since "
            "`ny` is 5 according to axis 1 of `Five.a`",
        ),
    ],
)
def test_check_error_names_field_axis_and_origin_of_the_size(parts, field, value, message):
    assert refused(five(parts, **{field: value})) == message


def test_sizes_from_static_values_take_precedence(parts):
    said = refused(plate(parts, u=jnp.zeros((4, 4)), alpha=jnp.zeros((4, 4))))
    assert said == (
        "axis 0 of `Plate.u` has the size 4 and is declared as `nx`, but `nx` is 3 according to "
        "`Plate.grid.nx`"
    )


def test_static_values_of_one_dimension_must_agree(parts):
    parts.Twice(nx=3, grid=parts.Grid(nx=3), u=jnp.zeros(3)).check()
    said = refused(parts.Twice(nx=3, grid=parts.Grid(nx=4), u=jnp.zeros(3)))
    assert "`Twice.grid.nx` has the size 4" in said
    assert "according to `Twice.nx`" in said


def test_sizes_of_constants_are_checked(parts):
    good = parts.Tables(nx=2, x=np.ones(2, np.float32), faces=np.ones(3, np.float32))
    assert parts.Field(tables=good, u=jnp.zeros(2)).check()
    bad = parts.Tables(nx=2, x=np.ones(2, np.float32), faces=np.ones(2, np.float32))
    assert "`Tables.faces` has the size 2" in refused(bad)
    assert "`Field.tables.faces` has the size 2" in refused(parts.Field(bad, jnp.zeros(2)))
    assert "according to `Field.tables.nx`" in refused(parts.Field(good, jnp.zeros(3)))


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"first": (6, 4)}, "axis 0 of `Mlp.middle[0].w` has the size 5"),
        ({"last": (4, 3)}, "axis 0 of `Mlp.last.w` has the size 4"),
        ({"middle": (5, 4)}, "axis 1 of `Mlp.middle[0].w` has the size 4"),
    ],
)
def test_parameters_of_parts_are_checked_with_the_holder(parts, changed, where):
    ((field, sizes),) = changed.items()
    part = linear(parts, *sizes)
    said = refused(mlp(parts, **{field: (part,) if field == "middle" else part}))
    assert where in said
    assert "`hidden` is" in said


def test_part_has_its_own_dimension_names(parts):
    bad = parts.Linear(w=jnp.zeros((5, 3)), b=jnp.zeros(4))
    assert "`Mlp.last.b` has the size 4" in refused(mlp(parts, last=bad))
    assert "`n_out` is 9 according to axis 1 of `Containers.free.w`" in refused(
        containers(parts, free=parts.Linear(w=jnp.zeros((8, 9)), b=jnp.zeros(4)))
    )


def test_inherited_fields_have_the_sizes_that_the_base_was_given(parts):
    head = parts.Head(w=jnp.zeros((4, 10)), b=jnp.zeros(10), scale=jnp.ones(4))
    pair = (linear(parts, 4, 8), linear(parts, 8, 3))
    assert parts.Heads(head=head, pair=pair).check()
    assert "declared as `10`" in refused(head.replace(b=jnp.zeros(9)))
    wrong = (linear(parts, 4, 8), linear(parts, 4, 3))
    said = refused(parts.Heads(head=head, pair=wrong))
    assert "axis 0 of `Heads.pair[1].w` has the size 4" in said
    assert (
        "`2 * hidden`, which is 8, since `hidden` is 4 according to axis 0 of `Heads.head.w`"
        in said
    )


def test_parts_in_containers_are_checked(parts):
    containers(parts, maybe=jnp.zeros(3), either=jnp.zeros((), jnp.int32)).check()
    for field, value, where in (
        ("items", [jnp.zeros(3), jnp.zeros(4)], "axis 0 of `Containers.items[1]`"),
        ("table", {"a": linear(parts, 2, 3)}, "axis 0 of `Containers.table['a'].w`"),
        ("record", (jnp.zeros(4), 1), "axis 0 of `Containers.record[0]`"),
        ("maybe", jnp.zeros(4), "axis 0 of `Containers.maybe`"),
        ("either", jnp.zeros((3, 3)), "`Containers.either` is declared as"),
    ):
        assert where in refused(containers(parts, **{field: value}))


def test_union_member_is_chosen_by_its_sizes(parts):
    both = containers(parts, either=jnp.zeros(3))
    assert both.check() is both
    plain = parts.Containers(
        items=[], table={}, record=(jnp.zeros(3), 1), maybe=None, either=jnp.zeros(4),
        free=linear(parts, 1, 1), anything=None,
    )  # fmt: skip
    assert plain.check() is plain


def sums(parts, nx, ny, **changed):
    shapes = {
        "cells": (2 * nx,),
        "faces": (nx + 1,),
        "inner": (ny - 2,),
        "half": ((nx + ny) // 2,),
        "fixed": (3, nx),
    }
    return parts.Sums(**{name: jnp.zeros(shape) for name, shape in (shapes | changed).items()})


@settings(deadline=None, max_examples=examples(15))
@given(nx=st.integers(0, 9), ny=st.integers(2, 9))
def test_arithmetic_dimensions_are_solved(parts, nx, ny):
    assert sums(parts, nx, ny).check()
    assert "`Sums.half` has" in refused(sums(parts, nx, ny, half=((nx + ny) // 2 + 1,)))


def test_arithmetic_dimension_without_a_plain_name(parts):
    assert parts.Even(cells=jnp.zeros(8), faces=jnp.zeros(5)).check()
    said = refused(parts.Even(cells=jnp.zeros(7), faces=jnp.zeros(5)))
    assert said == (
        "axis 0 of `Even.cells` has the size 7 and is declared as `2 * nx`, which has no solution"
    )
    said = refused(parts.Even(cells=jnp.zeros(8), faces=jnp.zeros(4)))
    assert "since `nx` is 4 according to axis 0 of `Even.cells`" in said


def test_a_dimension_that_nothing_binds(unbound):
    said = refused(unbound.Only(half=jnp.zeros(2)))
    assert said == (
        "axis 0 of `Only.half` is declared as `nx // 2`, but the size of `nx` is unknown: add a "
        "field `nx: static[int]` to its class, or an array that has `nx` itself as an axis"
    )


def test_union_of_ranks_with_64_bit_dtype(parts):
    made = parts.Wide(either=jnp.ones((2, 3)))
    assert made.either.dtype == jnp.float32
    assert made.check().axes("ny").either == 1
    assert parts.Wide(either=jnp.ones(2)).check().axes("nx").either == 0


def test_ellipsis_matches_any_number_of_axes(parts):
    for shape in ((), (2,), (2, 3)):
        made = parts.Stack(
            x=jnp.zeros((*shape, 4)), mask=jnp.zeros(shape, bool), t=jnp.zeros(shape)
        )
        assert made.check()
        said = refused(made.replace(t=jnp.zeros((*shape, 1))))
        assert "`Stack.t` has the size" in said
        places = ["`Stack.x`", "axis 0 of `Stack.x`", "axes 0 to 1 of `Stack.x`"]
        assert f"`*batch` is {shape} according to {places[len(shape)]}" in said
    assert "the number of axes differs" in refused(made.replace(x=jnp.zeros(())))
    assert refused(made.replace(t=jnp.zeros(()))) == (
        "`Stack.t` has the size () and is declared as `*batch`, but `*batch` is (2, 3) "
        "according to axes 0 to 1 of `Stack.x`"
    )


def test_undeclared_axes_may_have_any_size(parts):
    good = parts.Loose(tail=jnp.zeros((2, 7, 3)), column=jnp.zeros((3, 9)))
    assert good.check()
    assert "axis 0 of `Loose.column`" in refused(good.replace(column=jnp.zeros((2, 9))))


def test_dtype_kinds_are_checked(parts):
    fields = {
        "real": jnp.zeros(3, jnp.bfloat16),
        "unsigned": jnp.zeros(3, jnp.uint8),
        "wave": jnp.zeros(3, jnp.complex64),
        "brain": jnp.zeros(3, jnp.bfloat16),
        "wide": jnp.zeros(3),
        "rng": jax.random.key(0),
        "keys": jax.random.split(jax.random.key(0), 3),
    }
    made = parts.Kinds(**fields)
    assert made.check()
    assert made.replace(wide=np.zeros(3)).check()
    for field in ("real", "unsigned", "wave", "brain", "rng", "count"):
        said = refused(made.replace(**{field: jnp.zeros(3, bool)}))
        assert f"`Kinds.{field}` is declared as" in said
    assert "jax.random.key" in refused(made.replace(rng=jnp.zeros(2, jnp.uint32)))


def test_weak_scalars_are_checked(parts):
    assert parts.Weak().check()
    assert parts.Weak(x=jnp.asarray(1.0), n=np.int32(3)).check()
    leaves, treedef = jax.tree.flatten(parts.Weak())
    said = refused(jax.tree.unflatten(treedef, [leaves[0], jnp.asarray(1.0), leaves[2]]))
    assert "`Weak.n` is declared as an int or a 0-d array of it" in said


@pytest.mark.parametrize("odd", [1.0, None, object(), "text"])
def test_value_that_is_not_an_array_is_an_error(parts, odd):
    for make, name in ((five, "Five.a"), (plate, "Plate.u"), (mlp, "Mlp.first.w")):
        obj = make(parts)
        leaves, treedef = jax.tree.flatten(obj)
        said = refused(jax.tree.unflatten(treedef, [odd, *leaves[1:]]))
        assert f"`{name}` is declared as an array float32[" in said
        if isinstance(odd, float):
            assert "convert it with `jnp.asarray`" in said


def test_value_that_is_not_an_object_is_an_error(parts):
    children, treedef = jax.tree.flatten(mlp(parts), is_leaf=lambda x: type(x) is parts.Linear)
    said = refused(jax.tree.unflatten(treedef, [3, *children[1:]]))
    assert said.startswith("`Mlp.first` is declared as an object of a generated class")


def test_check_works_for_tracers_shapes_and_numpy_arrays(parts):
    obj = mlp(parts)

    @jax.jit
    def traced(value):
        return value.check()

    assert traced(obj).check()
    assert jax.eval_shape(lambda value: value, obj).check()
    assert jax.tree.map(np.asarray, five(parts)).check()
    batched = jax.tree.map(lambda x: jnp.stack([x, x]), five(parts))
    assert jax.vmap(lambda value: value.check())(batched)
    assert "the number of axes differs" in refused(batched)


@settings(deadline=None, max_examples=examples(20))
@given(
    nx=st.integers(0, 5),
    ny=st.integers(0, 5),
    field=st.sampled_from("abce"),
    axis=st.integers(0, 1),
    off=st.integers(1, 3),
)
def test_any_wrong_size_is_found(parts, nx, ny, field, axis, off):
    good = five(parts, nx, ny)
    assert good.check() is good
    shape = list(getattr(good, field).shape)
    shape[axis % len(shape)] += off
    bad = good.replace(**{field: jnp.zeros(shape, getattr(good, field).dtype)})
    assert "has the size" in refused(bad)


def test_dtype_of_a_constant_is_not_checked_again(parts):
    """The constructor converts its dtype, so only its shape is checked."""
    made = parts.Tables(nx=3, x=np.zeros(3, ">f4"), faces=np.zeros(4, np.float32))
    for obj in (made, copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert obj.check().x.dtype == np.float32
    for other in (np.zeros(3), np.zeros(3, np.int32)):
        with pytest.raises(TypeError, match="float32"):
            made.replace(x=other)
    assert "has the size" in refused(made.replace(faces=np.zeros(3, np.float32)))
