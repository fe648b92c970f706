"""Compare the heat equation of `examples.heat` with exact results."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

from examples.heat import Boundary, decay_time, error, make_plate, run
from examples.heat_model import newton_cooling
from generated import heat
from generated.heat import Plate, Scheme

# Largest error after one decay time on 32 cells, relative to the amplitude at that time. The
# second-order error of the decay rate is (pi / 32)^2 / 12 = 8e-4 along each axis. The explicit
# scheme adds an error in time of the same order.
ERROR_MAX = 2e-3


@pytest.mark.parametrize("boundary", ["insulated", "ambient"])
@pytest.mark.parametrize("scheme", Scheme)
def test_the_first_mode_decays_as_its_analytic_solution(scheme: Scheme, boundary: Boundary) -> None:
    plate = make_plate(32, scheme, boundary)
    assert error(run(plate, decay_time(), steps=256)) < ERROR_MAX


@pytest.mark.parametrize(
    ("scheme", "refinement"),
    [(Scheme.EXPLICIT, 4), (Scheme.ALTERNATING_DIRECTION, 2)],
)
def test_halving_the_cells_quarters_the_error(scheme: Scheme, refinement: int) -> None:
    # The explicit scheme is first order in time, so its step must be divided by four.
    errors = [
        error(run(make_plate(16 * 2**i, scheme), decay_time(), 64 * refinement**i))
        for i in range(3)
    ]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert orders == pytest.approx([2.0, 2.0], abs=0.2)


def _patchy(scheme: Scheme) -> Plate:
    """Create an insulated plate, warmer than ambient, with a badly conducting patch."""
    plate = make_plate(32, scheme, mean=20.0)
    return plate.replace(alpha=plate.alpha.at[8:16, 8:16].mul(0.01))


@pytest.mark.parametrize("scheme", Scheme)
def test_an_insulated_plate_keeps_its_heat(scheme: Scheme) -> None:
    plate = _patchy(scheme)
    before = float(plate.heat_content())
    after = float(run(plate, decay_time(), steps=256).heat_content())
    # Each of 256 steps may round by 6e-8 of the largest temperature, all in one direction.
    assert after == pytest.approx(before, rel=1e-4)


@pytest.mark.parametrize("scheme", Scheme)
def test_a_uniform_plate_cools_in_air_by_newtons_law(scheme: Scheme) -> None:
    plate = make_plate(16, scheme).replace(source=newton_cooling)
    plate = plate.replace(u=jnp.full_like(plate.u, 30.0))
    cooled = run(plate, 1000.0, steps=512)
    assert np.asarray(cooled.u) == pytest.approx(30.0 / math.e, rel=2e-3)


def test_the_longest_step_is_where_the_explicit_scheme_turns_unstable() -> None:
    assert _checkers_after(0.99) < 1.0
    assert _checkers_after(1.1) > 10.0


def _checkers_after(fraction: float) -> float:
    """Return the amplitude of a checkerboard after many steps of this fraction of the longest step."""
    plate = make_plate(16)
    checkers = (-1.0) ** np.add.outer(np.arange(16), np.arange(12))
    plate = plate.replace(u=jnp.asarray(checkers, jnp.float32))
    after = heat.step(plate, fraction * plate.longest_step, n=200)
    return float(jnp.max(jnp.abs(after.u)))
