"""Test `diff`, which lists the fields in which two objects differ."""

import copy
import math
from typing import Any

import jax
import numpy as np
import pytest
from jax import numpy as jnp

from codegen.runtime import diff


def test_diff_of_equal_objects_is_empty(plates: Any, plate: Any) -> None:
    nan = plate.replace(t=math.nan, settings=plates.Settings(anything=(math.nan,)))
    for one in (plate, nan, plates.Grid(), plates.Tree(kids=(plates.Tree(),))):
        assert diff(one, copy.deepcopy(one)) == {}
    assert diff(nan, nan.replace(t=jnp.float32(math.nan))) == {}


def test_diff_contains_paths_and_both_values(plates: Any, plate: Any) -> None:
    cells = plate.cells
    changed = plate.replace(
        u=plate.u.at[1, 2].set(3.0),
        cells=(cells[0], cells[1].replace(bias=7.0)),
        named={"left": plate.named["left"].replace(u=jnp.zeros(3))},
        maybe=plate.cell,
        settings=plates.Settings(grid=plates.Grid(nx=65), anything=True),
        name="other",
    )
    found = diff(plate, changed)
    assert list(found) == [
        "u",
        "named['left'].u",
        "cells[1].bias",
        "maybe",
        "settings.grid.nx",
        "settings.anything",
        "name",
    ]
    assert found["settings.grid.nx"] == (64, 65)
    assert found["maybe"] == (None, plate.cell)
    assert found["u"][1] is changed.u
    lines = str(found).splitlines()
    assert "settings.grid.nx: 64 != 65" in lines
    assert "u: f32[25,5] != f32[25,5], first at [1, 2]: 1.0 != 3.0" in lines
    assert "cells[1].bias: 2.0 != 7.0" in lines
    assert str(diff(plate, plate)) == "no difference"


def test_diff_is_as_exact_as_equality(plates: Any, plate: Any) -> None:
    settings = plates.Settings()
    pairs = [
        (settings.replace(anything=1), settings.replace(anything=True)),
        (settings.replace(anything=0.0), settings.replace(anything=-0.0)),
        (settings.replace(anything=(1, 2)), settings.replace(anything=(1, 2, 3))),
        (
            settings.replace(table=np.zeros(2, np.float32)),
            settings.replace(table=np.zeros(3, np.float32)),
        ),
        (plate, plate.replace(cells=())),
        (plate, plate.replace(named={})),
        (plate, plate.replace(anything=1.0)),
        (plate.replace(anything=(jnp.ones(2),)), plate.replace(anything=(jnp.ones(3),) * 2)),
        (plate.replace(anything=[jnp.ones(2)]), plate.replace(anything=(jnp.ones(2),))),
        (plate.replace(anything={1: jnp.ones(2)}), plate.replace(anything={2: jnp.ones(2)})),
        (plate, jax.tree.map(lambda _: None, plate)),
        (plate, jax.eval_shape(lambda: plate)),
        (plate, plate.replace(t=jnp.zeros(2, np.float32))),
        (plate, plate.replace(t=jnp.zeros((), jnp.float16))),
        (plate, plate.replace(rng=jax.random.key(0))),
    ]
    for one, other in pairs:
        assert one != other
        assert diff(one, other), (one, other)
        assert diff(other, one), (one, other)
        assert str(diff(one, other)), (one, other)


def test_diff_of_two_classes_is_an_error(plates: Any, plate: Any) -> None:
    for one, other in ((plate, plates.Grid()), (plate, 1), (1, 1)):
        with pytest.raises(
            TypeError,
            match=r"`other` of `diff` takes an? `.*` of a generated class, like the first argument",
        ):
            diff(one, other)
