"""The schema of these tests, built once a session as the package `comfort`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generated.package import forget, rendered, write


@pytest.fixture(scope="session")
def plates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The module of `schemas/plates.pyi`."""
    folder = tmp_path_factory.mktemp("comfort")
    sys.path.insert(0, str(folder))
    yield write(rendered(Path(__file__).parent / "schemas"), folder, "comfort").plates
    sys.path.remove(str(folder))
    forget("comfort")


@pytest.fixture
def plate(plates: Any) -> Any:
    """An object that holds others in all ways."""
    from jax import numpy as jnp

    cells = [plates.Cell(jnp.full(2, float(i)), bias=float(i)) for i in range(4)]
    return plates.Plate(
        u=jnp.ones((25, 5)),
        cell=cells[0],
        cells=tuple(cells[1:3]),
        named={"left": cells[3]},
        settings=plates.Settings(grid=plates.Grid(nx=64)),
    )
