"""Sweeps in place: Laplace's equation, which they solve, against its solution in sines."""

import jax.numpy as jnp
import numpy as np
import pytest

from examples.heat import make_plate
from examples.stencil import HOT, relax


def test_the_edges_keep_their_temperature() -> None:
    plate, _ = relax(make_plate(16), 50)
    assert np.asarray(plate.u[0, 1:-1]).tolist() == [HOT] * 10
    assert not np.any(plate.u[-1])
    assert not np.any(plate.u[:, [0, -1]])


def test_the_sweeps_come_to_rest_where_each_cell_is_the_mean_of_its_neighbours() -> None:
    plate, changes = relax(make_plate(16), 600)
    u = np.asarray(plate.u)
    mean = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4
    np.testing.assert_allclose(u[1:-1, 1:-1], mean, atol=1e-4)
    assert float(changes[0]) > 1.0
    assert float(changes[-1]) < 1e-4


def test_the_steady_temperature_is_the_sum_of_its_modes() -> None:
    """Separation of variables on the grid: H. S. Carslaw and J. C. Jaeger (1959), 5.3."""
    plate, _ = relax(make_plate(16), 600)
    nx, ny = plate.u.shape
    edge = np.where((np.arange(ny) == 0) | (np.arange(ny) == ny - 1), 0.0, HOT)
    k = np.arange(1, ny - 1)
    modes = np.sin(np.pi * np.outer(np.arange(ny), k) / (ny - 1))
    amplitudes = 2 / (ny - 1) * modes.T @ edge
    decay = np.arccosh(2 - np.cos(np.pi * k / (ny - 1)))
    row = nx // 2
    along = np.sinh(decay * (nx - 1 - row)) / np.sinh(decay * (nx - 1))
    exact = modes @ (amplitudes * along)
    assert np.asarray(plate.u[row]) == pytest.approx(exact, abs=1e-2)


def test_the_plate_that_is_given_stays_as_it_is() -> None:
    plate = make_plate(16)
    before = jnp.array(plate.u)
    relax(plate, 2)
    assert jnp.array_equal(plate.u, before)
