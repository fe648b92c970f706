"""Nodes are equal where they say the same, wherever they stand."""

from __future__ import annotations

import pytest

from codegen.program.types import AnyDims, Array, DimName, Scalar
from codegen.program.types import TypeParameter as Name
from codegen.source import Source

SOURCE = Source("heat.pyi", "heat", "nx = ny + 1")
HERE = SOURCE.at(0, 2)
THERE = SOURCE.at(7, 9)


def test_the_place_is_not_compared() -> None:
    one, other = Name("nx", span=HERE), Name("nx", span=THERE)
    assert one == other
    assert not one != other  # noqa: SIM202  `!=` is a method of its own
    assert hash(one) == hash(other)
    assert {one: 1}[other] == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Name("nx", span=HERE), Name("ny", span=HERE)),
        (Scalar("int"), Scalar("bool")),
        (Array("float32", "f32", (DimName("nx"),)), Array("float32", "f32", (AnyDims(),))),
        (Name("int", span=HERE), Scalar("int", span=HERE)),
        (Name("int", span=HERE), "int"),
    ],
)
def test_what_is_said_is_compared(one: object, other: object) -> None:
    assert one != other
    assert not one == other  # noqa: SIM201  `==` is a method of its own


def test_the_mesh_of_a_dimension_is_not_compared() -> None:
    assert DimName("nx", ("rows",)) == DimName("nx")
    assert hash(DimName("nx", ("rows",))) == hash(DimName("nx"))


def test_nodes_are_frozen() -> None:
    node = Name("nx", span=HERE)
    with pytest.raises(AttributeError, match="immutable"):
        node.name = "ny"  # type: ignore[misc]  # what is tested
