"""Compare in-place sweeps for Laplace's equation with its solution as a sine series."""

import numpy as np
import pytest

from examples.stencil import HOT, relax
from generated.stencil import Sheet

SHEET = Sheet.abstract(nx=16, ny=12)


def test_sweeps_converge_to_the_mean_of_the_neighbours() -> None:
    sheet, changes = relax(SHEET.zeros(), 600)
    u = np.asarray(sheet.u)
    mean = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4
    np.testing.assert_allclose(u[1:-1, 1:-1], mean, atol=1e-4)
    assert float(changes[0]) > 1.0
    assert float(changes[-1]) < 1e-4


def test_the_steady_temperature_is_the_sum_of_its_modes() -> None:
    """Source: separation of variables on the grid, H. S. Carslaw and J. C. Jaeger (1959), 5.3."""
    sheet, _ = relax(SHEET.zeros(), 600)
    nx, ny = sheet.u.shape
    edge = np.where((np.arange(ny) == 0) | (np.arange(ny) == ny - 1), 0.0, HOT)
    k = np.arange(1, ny - 1)
    modes = np.sin(np.pi * np.outer(np.arange(ny), k) / (ny - 1))
    amplitudes = 2 / (ny - 1) * modes.T @ edge
    decay = np.arccosh(2 - np.cos(np.pi * k / (ny - 1)))
    row = nx // 2
    along = np.sinh(decay * (nx - 1 - row)) / np.sinh(decay * (nx - 1))
    exact = modes @ (amplitudes * along)
    assert np.asarray(sheet.u[row]) == pytest.approx(exact, abs=1e-2)
