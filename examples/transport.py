"""Fuel and heat a tokamak plasma of ITER's size until it is steady.

python -m examples.transport
"""

import time
from typing import NamedTuple

import jax.numpy as jnp

from examples.transport_model import elliptic_geometry, internal_barrier
from generated import transport
from generated.transport import (
    Balance,
    Bremsstrahlung,
    CellVariable,
    ConstantTransport,
    CriticalGradientTransport,
    EdgeSource,
    GaussianSource,
    Geometry,
    LinearSolver,
    NewtonSolver,
    Plasma,
    Profiles,
    ShapedTransport,
    Solver,
    TransportModel,
)

EDGE_DENSITY = 0.5  # [1e20 m^-3]
EDGE_TEMPERATURE = 0.5  # [keV]
STEP = 0.1  # [s]
STEPS_MAX = 2000  # a plasma that is still changing at this time counts as unsteady
LINEAR = LinearSolver(corrections=4, extra_chi=50.0)
NEWTON = NewtonSolver()
HEATING_POWER = 40.0  # [MW]


class SteadyState(NamedTuple):
    """A steady plasma, and how it was reached."""

    plasma: Plasma
    balance: Balance
    steps: int


def make_models() -> dict[str, TransportModel]:
    """Create the transport models to compare, each with the same pinch."""
    return {
        "constant": ConstantTransport(pinch=0.1),
        "internal barrier": ShapedTransport(pinch=0.1, shape=internal_barrier),
        "critical gradient": CriticalGradientTransport(pinch=0.1),
    }


def make_profile(geometry: Geometry, level: float) -> CellVariable:
    """Create a flat profile whose edge value is fixed."""
    return CellVariable(
        value=jnp.full(geometry.ncell, level, jnp.float32),
        edge_value=level,
        spacing=geometry.spacing,
    )


def make_plasma(
    model: TransportModel,
    solver: Solver = NEWTON,
    ncell: int = 25,
    heating_power: float = HEATING_POWER,
) -> Plasma:
    """Create a cold, flat plasma with pellets and a gas puff, heated in its core.

    Args:
        model: the transport model.
        solver: the time stepping solver.
        ncell: cells from axis to edge.
        heating_power: [MW].
    """
    geometry = elliptic_geometry(ncell)
    return Plasma(
        profiles=Profiles(
            density=make_profile(geometry, EDGE_DENSITY),
            temperature=make_profile(geometry, EDGE_TEMPERATURE),
        ),
        transport=model,
        fuelling=(
            GaussianSource(total=10.0, centre=0.5, width=0.15),
            EdgeSource(total=20.0, decay_length=0.05),
        ),
        heating=(GaussianSource(total=heating_power, width=0.25),),
        bremsstrahlung=Bremsstrahlung(z_eff=1.6),
        geometry=geometry,
        solver=solver,
    )


def settle(plasma: Plasma, dt: float = STEP, slowest: float = 1e-4, chunk: int = 50) -> SteadyState:
    """Advance until no profile changes faster than the slowest rate.

    Args:
        plasma: its profiles are consumed.
        dt: step [s].
        slowest: a relative change of a profile below this counts as steady [1/s].
        chunk: steps between two checks of the profiles.
    """
    for steps in range(chunk, STEPS_MAX + 1, chunk):
        plasma, balance = transport.advance(plasma, dt, n=chunk)
        if balance.change < slowest:
            return SteadyState(plasma, balance, steps)
    raise RuntimeError(f"the profiles still change after {STEPS_MAX} steps")


def confinement_time(plasma: Plasma) -> float:
    """Return the thermal energy divided by the power that sustains it [s]."""
    power = sum(float(source.total) for source in plasma.heating)
    return float(plasma.thermal_energy) / power


def report(name: str, model: TransportModel, solver: Solver) -> str:
    """Settle one plasma; return a line with its core, its balance and the cost."""
    transport.advance(make_plasma(model, solver), STEP, n=50)  # compiles
    started = time.perf_counter()
    plasma, balance, steps = settle(make_plasma(model, solver))
    seconds = time.perf_counter() - started
    profiles = plasma.profiles
    return (
        f"{name:18} {type(solver).__name__:13} {float(plasma.time):6.0f} "
        f"{float(profiles.density.value[0]):6.3f} "
        f"{float(profiles.temperature.value[0]):6.2f} "
        f"{confinement_time(plasma):6.2f} "
        f"{float(balance.imbalance):10.1e} {1e6 * seconds / steps:8.0f}"
    )


def main() -> None:
    """Print the steady state of every model with both solvers."""
    print("n: density [1e20 m^-3], T: temperature [keV], on the axis")
    print("tau: energy confinement time [s]; imbalance: of particles, relative")
    print(
        f"{'transport':18} {'solver':13} {'t [s]':>6} {'n':>6} {'T':>6} {'tau':>6} "
        f"{'imbalance':>10} {'us/step':>8}"
    )
    for name, model in make_models().items():
        for solver in (LINEAR, NEWTON):
            print(report(name, model, solver))


if __name__ == "__main__":
    main()
