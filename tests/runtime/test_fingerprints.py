"""Fingerprints are equal exactly if trace keys are, in any process."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from codegen.runtime.mesh.fingerprints import (
    _difference_error,
    assert_same_everywhere,
    list_entries,
)
from codegen.runtime.mesh.fingerprints import format_static as written
from tests.inputs import over_rows
from tests.runtime.sample import Box, Grid, Linear, Plate, Scheme
from tests.runtime.test_keys import DISTINCT, EQUAL

CHECKOUT = Path(__file__).parents[2]


def make_plate(**changes: Any) -> Plate:
    layers = (Linear(jnp.ones(1), 0.0), Linear(jnp.ones(2), 0.0, n=2))
    values: dict[str, Any] = {
        "u": jnp.ones(2),
        "alpha": jnp.ones(2),
        "grid": Grid(4, 2),
        "first": layers[0],
    }
    return Plate(**values | {"layers": layers} | changes)


def test_fingerprints_differ_if_keys_differ() -> None:
    boxes = list(map(Box, DISTINCT))
    prints = {box.fingerprint(): box for box in boxes}
    assert len(prints) == len(boxes)
    assert all(len(each) == 64 and int(each, 16) for each in prints)


@over_rows(EQUAL)
def test_fingerprints_are_equal_if_keys_are_equal(left: Any, right: Any) -> None:
    assert Box(left).fingerprint() == Box(right).fingerprint()


PROGRAM = """
from tests.runtime.sample import Box
from tests.runtime.test_fingerprints import make_plate
from tests.runtime.test_keys import DISTINCT

print(make_plate().fingerprint())
for value in DISTINCT:
    print(Box(value).fingerprint())
"""


def test_fingerprints_distinguish_objects_with_copyreg_reducers() -> None:
    found = {written(re.compile(*one), "") for one in (("a+",), ("b*",), ("a+", re.IGNORECASE))}
    assert len(found) == 3


def test_fingerprints_are_the_same_in_every_process() -> None:
    mine = [make_plate().fingerprint(), *(Box(value).fingerprint() for value in DISTINCT)]
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        cwd=CHECKOUT,
        env=os.environ | {"PYTHONHASHSEED": seed, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == mine


def test_fingerprint_text_does_not_depend_on_the_python_version() -> None:
    plain = (1, 1.0, True, None, "a", b"a", 2j, -0.0, float("nan"), frozenset({"b", "a"}))
    scalars = (np.float32(1), np.dtype("int8"), np.zeros((), np.int8), PurePosixPath("a"))
    box = Box((plain, scalars, Scheme.IMPLICIT, Grid(1, 2), len))
    nothing = hashlib.sha256(b"\0").hexdigest()
    assert written(box, "") == (
        "sample:Box(value=((1, 1.0, True, None, 'a', b'a', 2j, -0.0, nan, "
        f"{{'a', 'b'}}), (float32(1.0), dtype int8, int8[] {nothing}, PurePosixPath('a')), "
        "sample:Scheme.IMPLICIT, "
        "sample:Grid(nx=1, ny=2, dx=0.01), builtins:len))"
    )


def test_fingerprint_does_not_depend_on_arrays() -> None:
    plate = make_plate()
    for other in (
        make_plate(u=jnp.zeros(7)),
        jax.tree.map(lambda _: object(), plate),
        jax.eval_shape(lambda: plate),
    ):
        assert other.fingerprint() == plate.fingerprint()
    jax.jit(lambda traced: traced.u if traced.fingerprint() == plate.fingerprint() else 1 / 0)(
        plate
    )


def test_assert_same_everywhere_passes_in_one_process() -> None:
    assert_same_everywhere(make_plate())


def test_difference_names_the_field_and_both_values() -> None:
    plates = [make_plate(), make_plate(grid=Grid(5, 2)), make_plate(grid=Grid(5, 3))]
    error = _difference_error(Plate, [list_entries(plate) for plate in plates])
    assert str(error).startswith(
        "`Plate.grid.nx` is not the same in every process: 4 in processes 0; 5 in processes "
        "1, 2. 1 more paths differ. The processes would run different programs"
    )
    parts = [make_plate(), make_plate(layers=()), make_plate(source=jnp.sin)]
    error = _difference_error(Plate, [list_entries(plate) for plate in parts])
    assert "`Plate.source` is not the same in every process: None in processes 0, 1" in str(error)
    texts = [list_entries({"a": "x" * 100}, numbers=True), list_entries({"a": 1}, numbers=True)]
    error = _difference_error(dict, texts)
    assert "`dict['a']` is not the same in every process: 'xxx" in str(error)
    assert "xxx' in processes 0; 1 in processes 1." in str(error)
