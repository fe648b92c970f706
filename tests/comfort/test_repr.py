"""The repr fits a terminal, whatever is in the place of arrays."""

# mypy: disable-error-code="no-untyped-call, attr-defined, operator"
import enum
import sys
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp


def test_arrays_with_more_than_six_elements_are_printed_as_shapes(plates: Any) -> None:
    texts = {
        "f32[7]": jnp.zeros(7),
        "bf16[2,4]": jnp.zeros((2, 4), jnp.bfloat16),
        "f8_e4m3fn[9]": jnp.zeros(9, jnp.float8_e4m3fn),
        "i32[7]": np.zeros(7, np.int32),
        "u8[3,3]": jnp.zeros((3, 3), jnp.uint8),
        "bool[7]": jnp.zeros(7, bool),
        "c64[7]": jnp.zeros(7, jnp.complex64),
        "f32[0]": jnp.zeros(0),
        "[0.1, 2.0]": jnp.array([0.1, 2.0]),
        "[[0.5, 2]]": jnp.array([[0.5, 2.0]], jnp.bfloat16),
        "[True, False]": jnp.array([True, False]),
        "[np.str_('')]": np.array([""]),
        "[1, 2, 3, 4, 5, 6]": jnp.arange(1, 7),
        "(1+2j)": jnp.array(1 + 2j),
        "nan": jnp.array(np.nan),
        "key[]": jax.random.key(0),
        "key[4]": jax.random.split(jax.random.key(0), 4),
        "None": None,
        "ShapeDtypeStruct(f32[3])": jax.ShapeDtypeStruct((3,), jnp.float32),
        "[f32[7], 1]": [jnp.zeros(7), 1],
        "{'a': (f32[7],)}": {"a": (jnp.zeros(7),)},
        repr(jax.sharding.PartitionSpec("x")): jax.sharding.PartitionSpec("x"),
    }
    cell = plates.Cell(jnp.zeros(1))
    for text, value in texts.items():
        made = jax.tree.unflatten(jax.tree.structure(cell), [value, 1.0])
        assert repr(made) == f"Cell(u={text}, bias=1.0)", text


def test_long_objects_are_printed_nested(plates: Any, plate: Any) -> None:
    assert repr(plates.Grid(nx=1)) == "Grid(nx=1, ny=4)"
    assert (
        repr(plate)
        == """\
Plate(
    u=f32[25,5],
    cell=Cell(u=[0.0, 0.0], bias=0.0),
    named={'left': Cell(u=[3.0, 3.0], bias=3.0)},
    cells=(Cell(u=[1.0, 1.0], bias=1.0), Cell(u=[2.0, 2.0], bias=2.0)),
    maybe=None,
    rng=None,
    t=0.0,
    anything=None,
    settings=Settings(
        grid=Grid(nx=64, ny=4),
        table=None,
        scheme=Scheme.EXPLICIT,
        anything=None,
    ),
    name='plate',
)"""
    )
    assert str(plate) == repr(plate)


def test_other_values_in_place_of_arrays_are_printed(plates: Any, plate: Any) -> None:
    seen: list[str] = []

    @jax.jit
    @jax.vmap
    def traced(u: Any) -> Any:
        seen.append(repr(plates.Cell(u)))
        return u

    traced(jnp.zeros((2, 3)))
    assert "f32[3]" in seen[0], seen
    assert "\n" not in seen[0], seen
    deleted = jnp.zeros(3)
    deleted.delete()
    structure = jax.tree.structure(plate)
    weird: list[Any] = [object(), enum, int, "text", float("nan"), deleted, lambda: 0, {1, 2}]
    weird += [np.array([None]), np.array(["a"]), jax.devices()[0], plate, b"x"]
    for value in weird:
        made = jax.tree.unflatten(structure, [value] * structure.num_leaves)
        assert repr(made).startswith("Plate("), value
    assert "f32[3] deleted" in repr(plates.Cell(deleted))
    assert "..." in repr(object.__new__(plates.Cell))


def test_long_strings_and_containers_are_shortened(plates: Any, plate: Any) -> None:
    lines = repr(plate.replace(name="a" * 10_000, anything=list(range(1000)))).splitlines()
    assert max(map(len, lines)) <= 88
    assert len(lines) < 60
    assert any(line.strip() == "... 980 more," for line in lines)
    assert any("aaa...'" in line for line in lines)


def test_recursive_or_deep_objects_are_shortened(plates: Any, plate: Any) -> None:
    round_: list[Any] = []
    round_.append(plate.replace(anything=round_))
    assert "..." in repr(round_[0])
    tree = plates.Tree()
    for _ in range(sys.getrecursionlimit() // 2):
        tree = plates.Tree(kids=(tree,))
    assert "(...)" in repr(tree)
    shared = plates.Cell(jnp.zeros(2))
    assert repr(plates.Tied(shared, shared)).count("Cell(") == 2
