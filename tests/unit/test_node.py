"""Equality of syntax nodes ignores source positions."""

from __future__ import annotations

import pytest

from codegen.program.types import AnyDims, Array, DimName, Scalar
from codegen.program.types import TypeParameter as Name
from codegen.source import Source

SOURCE = Source("heat.pyi", "heat", "nx = ny + 1")
HERE = SOURCE.at(0, 2)
THERE = SOURCE.at(7, 9)


def test_position_is_not_compared() -> None:
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
def test_other_fields_are_compared(one: object, other: object) -> None:
    assert one != other
    assert not one == other  # noqa: SIM201  `==` is a method of its own


def test_mesh_axes_of_a_dimension_are_not_compared() -> None:
    assert DimName("nx", ("rows",)) == DimName("nx")
    assert hash(DimName("nx", ("rows",))) == hash(DimName("nx"))


def test_nodes_are_frozen() -> None:
    node = Name("nx", span=HERE)
    with pytest.raises(AttributeError, match="immutable"):
        node.name = "ny"  # type: ignore[misc]  # what is tested
