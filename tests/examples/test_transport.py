"""Test the transport solver of `examples.transport`: balances, exact solutions, trends."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array

from examples.transport import (
    EDGE_DENSITY,
    LINEAR,
    NEWTON,
    SteadyState,
    make_models,
    make_plasma,
    settle,
)
from examples.transport_model import elliptic_geometry, uniform
from generated import transport
from generated.transport import (
    CellVariable,
    ConstantTransport,
    EdgeSource,
    GaussianSource,
    Plasma,
    PrescribedSource,
    Solver,
)

# Flows are differences of profiles times large conductances, all in single precision. Their
# rounding error is about 1e-5 of the source.
IMBALANCE_MAX = 2e-4
SOLVERS = {"linear": LINEAR, "newton": NEWTON}
MODELS = ("constant", "internal barrier", "critical gradient")
SOURCE = 30.0  # [1e20/s]


@cache
def _steady(model: str, solver: str) -> SteadyState:
    return settle(make_plasma(make_models()[model], SOLVERS[solver]))


def _core_temperature(plasma: Plasma) -> float:
    return float(plasma.profiles.temperature.value[0])


def _peaking(plasma: Plasma) -> float:
    """Return the density on the axis over its mean."""
    mean = float(plasma.particles) / plasma.geometry.volume
    return float(plasma.profiles.density.value[0]) / mean


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("model", MODELS)
def test_in_steady_state_the_edge_loses_what_the_sources_supply(model: str, solver: str) -> None:
    balance = _steady(model, solver).balance
    assert float(balance.source) == pytest.approx(SOURCE, rel=1e-5)
    assert float(balance.outflow) == pytest.approx(SOURCE, rel=1e-3)
    assert abs(float(balance.growth)) < 1e-3 * SOURCE
    assert float(balance.imbalance) < IMBALANCE_MAX


@pytest.mark.parametrize("model", MODELS)
def test_both_solvers_reach_the_same_steady_state(model: str) -> None:
    linear, newton = (_steady(model, solver).plasma.profiles for solver in SOLVERS)
    for one, other in zip(jax.tree.leaves(linear), jax.tree.leaves(newton), strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-3)


def test_stiff_transport_needs_the_extra_diffusivity_of_the_linear_solver() -> None:
    plasma = make_plasma(make_models()["critical gradient"], LINEAR.replace(extra_chi=None))
    _, balance = transport.advance(plasma, 0.1, n=100)
    assert float(balance.change) > 0.1
    assert float(_steady("critical gradient", "linear").balance.change) < 1e-3


@pytest.mark.parametrize("model", MODELS)
def test_content_grows_by_source_minus_losses_before_steady_state(model: str) -> None:
    plasma = make_plasma(make_models()[model], NEWTON)
    _, balance = transport.advance(plasma, 0.1, n=5)
    assert float(balance.growth) > 0.1 * SOURCE
    assert float(balance.imbalance) < IMBALANCE_MAX


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_sealed_plasma_keeps_every_particle(solver: str) -> None:
    plasma = make_plasma(ConstantTransport(), SOLVERS[solver])
    sealed = plasma.profiles.density.replace(edge_value=None, edge_gradient=0.0)
    plasma = plasma.replace(profiles=plasma.profiles.replace(density=sealed))
    before = float(plasma.particles)
    plasma, balance = transport.advance(plasma, 0.1, n=20)
    assert float(balance.outflow) == 0.0
    assert float(plasma.particles) == pytest.approx(before + 2.0 * SOURCE, rel=1e-5)


def test_a_uniform_source_and_diffusivity_make_a_parabola() -> None:
    plasma = make_plasma(ConstantTransport(diffusivity_ratio=0.5, level=1.0))
    source = PrescribedSource(total=SOURCE, profile=uniform)
    geometry = plasma.geometry
    plasma = settle(plasma.replace(fuelling=(source,))).plasma
    # The source within rho is SOURCE rho^2, and dV/drho is 2 V rho.
    height = SOURCE / (4.0 * geometry.volume * geometry.g1_face[0] * 0.5)
    exact = EDGE_DENSITY + height * (1.0 - geometry.rho_cell**2)
    density = np.asarray(plasma.profiles.density.value)
    assert np.max(np.abs(density - exact)) < 2e-3 * height


def _after_a_transient(solver: Solver, steps: int) -> Array:
    plasma = make_plasma(ConstantTransport(), solver)
    plasma, _ = transport.advance(plasma, 0.8 / steps, n=steps)
    return plasma.profiles.temperature.value


def test_theta_one_half_is_second_order_in_time() -> None:
    halfway = NEWTON.replace(theta=0.5)
    exact = _after_a_transient(halfway, 64)
    errors = {
        (solver.theta, steps): float(jnp.max(jnp.abs(_after_a_transient(solver, steps) - exact)))
        for solver in (NEWTON, halfway)
        for steps in (4, 8)
    }
    assert errors[1.0, 4] / errors[1.0, 8] == pytest.approx(2.0, abs=0.4)
    assert errors[0.5, 4] / errors[0.5, 8] == pytest.approx(4.0, abs=1.0)


def test_above_the_critical_gradient_more_heating_hardly_helps() -> None:
    gains = {}
    for name in ("constant", "critical gradient"):
        model = make_models()[name]
        doubled = settle(make_plasma(model, heating_power=80.0)).plasma
        once = _core_temperature(_steady(name, "newton").plasma)
        gains[name] = _core_temperature(doubled) / once
    assert gains["constant"] > 1.5
    assert 1.0 < gains["critical gradient"] < 1.3


def test_a_pinch_peaks_the_density() -> None:
    still = settle(make_plasma(ConstantTransport(pinch=0.0))).plasma
    assert _peaking(_steady("constant", "newton").plasma) > 1.05 * _peaking(still)


def test_pellets_peak_the_density_and_a_gas_puff_does_not() -> None:
    plasmas = [
        make_plasma(ConstantTransport()).replace(fuelling=(source,))
        for source in (GaussianSource(total=SOURCE), EdgeSource(total=SOURCE))
    ]
    pellets, puff = (_peaking(settle(plasma).plasma) for plasma in plasmas)
    assert pellets > 1.2
    assert 1.0 <= puff < 1.1


def test_the_gradient_flows_through_the_solver() -> None:
    def core(level: Array | float) -> Array:
        plasma = make_plasma(ConstantTransport(level=level), LINEAR)
        plasma, _ = transport.advance(plasma, 0.5, n=20)
        return plasma.profiles.temperature.value[0]

    slope = float(jax.grad(core)(1.0))
    difference = float(core(1.05) - core(0.95)) / 0.1
    assert slope == pytest.approx(difference, rel=0.02)
    assert slope < 0.0


def test_the_geometry_is_that_of_an_ellipse() -> None:
    geometry = elliptic_geometry(ncell=10, elongation=1.7)
    assert geometry.volume == pytest.approx(2.0 * np.pi**2 * 6.2 * 1.7 * 2.0**2)
    assert geometry.g1_face == pytest.approx((1.0 + 1.0 / 1.7**2) / (2.0 * 2.0**2))
    circle = elliptic_geometry(ncell=10, elongation=1.0)
    assert circle.g0_face == pytest.approx(1.0 / 2.0)


def test_deposition_adds_up_to_the_total() -> None:
    geometry = elliptic_geometry()
    for source in make_plasma(ConstantTransport()).fuelling:
        deposited = float(jnp.sum(source.deposition(geometry)))
        assert deposited == pytest.approx(float(source.total), rel=1e-6)


@pytest.mark.parametrize("conditions", [{}, {"edge_value": 1.0, "edge_gradient": 0.0}])
def test_a_profile_has_one_condition_at_the_edge(conditions: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="either edge_value or edge_gradient"):
        CellVariable(value=jnp.ones(4), spacing=0.25, **conditions)
