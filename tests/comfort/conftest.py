"""Fixtures: the schemas of this folder, built once per session as the package `comfort`."""

from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import Build


@pytest.fixture(scope="session")
def plates(built: Build) -> Any:
    """The module of `schemas/plates.pyi`."""
    return built(Path(__file__).parent / "schemas", "comfort").plates


@pytest.fixture
def plate(plates: Any) -> Any:
    """An object that holds other objects in all possible ways."""
    from jax import numpy as jnp

    cells = [plates.Cell(jnp.full(2, float(i)), bias=float(i)) for i in range(4)]
    return plates.Plate(
        u=jnp.ones((25, 5)),
        cell=cells[0],
        cells=tuple(cells[1:3]),
        named={"left": cells[3]},
        settings=plates.Settings(grid=plates.Grid(nx=64)),
    )
