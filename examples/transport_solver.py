"""Finite volumes in rho, and the two solvers of `schemas/transport.pyi`.

Flows are totals through a flux surface. Particles that leave a cell enter the next one, so
the particle balance holds up to rounding for any coefficients:

    V_i (n_i' - n_i) / dt = flow_i - flow_(i + 1) + source_i

Source: J. Citrin et al., TORAX: A Fast and Differentiable Tokamak Transport Simulator
in JAX, arXiv:2406.06718 (2024), for the equations and both ways to solve them.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from examples.transport_model import MEGAJOULE
from generated.transport import (
    Balance,
    CellVariable,
    Convection,
    LinearSolver,
    NewtonSolver,
    Plasma,
    Profiles,
    Solver,
)


class Flow(NamedTuple):
    """A flow through the faces that is linear in the cells' values; (ncell + 1,).

    flow = inner * (value inside the face) + outer * (value outside) + constant
    """

    inner: Array
    outer: Array
    constant: Array

    def through(self, value: Array) -> Array:
        """The flow of the profile value, (ncell,) to (ncell + 1,)."""
        padded = jnp.pad(value, 1)
        return self.inner * padded[:-1] + self.outer * padded[1:] + self.constant


class Flows(NamedTuple):
    """Flows through the faces, each (ncell + 1,)."""

    particles: Array  # [1e20/s]
    heat: Array  # [MW]


class Supply(NamedTuple):
    """The sources in every cell, each (ncell,)."""

    particles: Array  # [1e20/s]
    heat: Array  # [MW]


def undefined_advance(solver: Solver, plasma: Plasma, dt: Array) -> Profiles:
    """The default `advance`, for solvers that declare none."""
    raise NotImplementedError(f"{type(solver).__name__} declares no advance")


def advance(plasma: Plasma, dt: Array, n: int) -> tuple[Plasma, Balance]:
    """Advance by n steps of dt [s]. The balance is that of the last step."""

    def step(_: int, last_two: tuple[Profiles, Profiles]) -> tuple[Profiles, Profiles]:
        now = last_two[1]
        return now, plasma.solver.advance(plasma.replace(profiles=now), dt)

    before, now = lax.fori_loop(0, n, step, (plasma.profiles, plasma.profiles))
    after = plasma.replace(profiles=now, time=plasma.time + n * dt)
    return after, _balance(plasma.replace(profiles=before), after, dt)


def _balance(before: Plasma, after: Plasma, dt: Array) -> Balance:
    """The particle balance of the step from before to after."""
    theta = after.solver.theta
    old, new = before.profiles, after.profiles
    outflow = theta * flows(after, new).particles[-1]
    outflow += (1.0 - theta) * flows(before, old).particles[-1]
    gained = after.geometry.volume_cell * (new.density.value - old.density.value)
    return Balance(
        source=jnp.sum(supply(after, new).particles),
        outflow=outflow,
        growth=jnp.sum(gained) / dt,
        change=jnp.maximum(
            _distance(old.density, new.density),
            _distance(old.temperature, new.temperature),
        )
        / dt,
    )


def _distance(one: CellVariable, other: CellVariable) -> Array:
    """Return the largest difference of two profiles, relative to the largest value."""
    difference = jnp.max(jnp.abs(one.value - other.value))
    return difference / jnp.max(jnp.abs(other.value))


def supply(plasma: Plasma, profiles: Profiles) -> Supply:
    """Return fuelling and heating of each cell, minus its radiation."""
    none = jnp.zeros_like(profiles.density.value)
    geometry = plasma.geometry
    heat = sum((s.deposition(geometry) for s in plasma.heating), none)
    if plasma.bremsstrahlung is not None:
        density, temperature = profiles.density.value, profiles.temperature.value
        radiated = plasma.bremsstrahlung.radiated(density, temperature)
        heat = heat - geometry.volume_cell * radiated
    particles = sum((s.deposition(geometry) for s in plasma.fuelling), none)
    return Supply(particles, heat)


def flows(plasma: Plasma, profiles: Profiles) -> Flows:
    """Compute the flows from the profiles and their own coefficients."""
    particles = _particle_flow(plasma, profiles).through(profiles.density.value)
    heat = _heat_flow(plasma, profiles, particles).through(profiles.temperature.value)
    return Flows(particles, heat)


def _particle_flow(plasma: Plasma, profiles: Profiles) -> Flow:
    """The flow of particles, linear in the density: diffusion and pinch."""
    geometry = plasma.geometry
    transport = plasma.transport.coefficients(profiles, geometry)
    return _flow(
        profiles.density,
        transport.diffusivity * geometry.vprime_face * geometry.g1_face,
        transport.convection * geometry.vprime_face * geometry.g0_face,
        plasma.solver.convection,
    )


def _heat_flow(plasma: Plasma, profiles: Profiles, particles: Array) -> Flow:
    """The flow of heat, linear in the temperature: ions and electrons together.

    Particles carry their enthalpy, 5/2 T each.
    """
    geometry = plasma.geometry
    transport = plasma.transport.coefficients(profiles, geometry)
    conductivity = 2.0 * MEGAJOULE * profiles.density.face_value() * transport.chi
    return _flow(
        profiles.temperature,
        conductivity * geometry.vprime_face * geometry.g1_face,
        5.0 * MEGAJOULE * particles,
        plasma.solver.convection,
    )


def _flow(profile: CellVariable, diffusion: Array, convection: Array, scheme: Convection) -> Flow:
    """Return the flow -diffusion * gradient + convection * value through each face.

    Args:
        profile: its edge condition applies to the last face.
        diffusion: (ncell + 1,), 0 on the axis.
        convection: (ncell + 1,), 0 on the axis.
        scheme: how the value between two cells is interpolated.
    """
    conductance = diffusion / profile.spacing
    if scheme is Convection.UPWIND:
        from_inside = jnp.where(convection > 0.0, 1.0, 0.0)
    else:
        from_inside = jnp.full_like(convection, 0.5)
    inner = conductance + convection * from_inside
    outer = -conductance + convection * (1.0 - from_inside)
    edge_inner, edge_constant = _edge_flow(profile, diffusion[-1], convection[-1])
    return Flow(
        inner=inner.at[-1].set(edge_inner),
        outer=outer.at[-1].set(0.0),
        constant=jnp.zeros_like(inner).at[-1].set(edge_constant),
    )


def _edge_flow(profile: CellVariable, diffusion: Array, convection: Array) -> tuple[Array, Array]:
    """Return the flow through the edge: its slope in the value of the last cell, and the rest."""
    half = 0.5 * profile.spacing
    if profile.edge_value is not None:
        return diffusion / half, (convection - diffusion / half) * profile.edge_value
    assert profile.edge_gradient is not None
    return convection, (convection * half - diffusion) * profile.edge_gradient


def _divergence(flow: Array) -> Array:
    """Return the net flow out of each cell, (ncell + 1,) to (ncell,)."""
    return jnp.diff(flow)


def advance_linear(solver: LinearSolver, plasma: Plasma, dt: Array) -> Profiles:
    """The profiles after a step of dt [s], by fixed-point iteration.

    Each iteration uses the coefficients of the previous one, so the step is two tridiagonal
    systems. With stiff transport the iteration oscillates. To prevent this, a large diffusivity
    is added to the new gradient and subtracted from the previous one.

    Source: G. V. Pereverzev and G. Corrigan, Comput. Phys. Commun. 179 (2008) 579.
    """
    old = plasma.profiles
    known = flows(plasma, old)

    def iterate(_: int, last: Profiles) -> Profiles:
        return _linear_step(solver, plasma, dt, known, last)

    new: Profiles = lax.fori_loop(0, 1 + solver.corrections, iterate, old)
    return new


def _linear_step(
    solver: LinearSolver, plasma: Plasma, dt: Array, known: Flows, last: Profiles
) -> Profiles:
    """Run one iteration: density first, then temperature with the new density."""
    old, volume = plasma.profiles, jnp.asarray(plasma.geometry.volume_cell)
    given = supply(plasma, last)
    flow = _particle_flow(plasma, last)
    gain = volume * old.density.value / dt + given.particles
    density = _solve(volume / dt, gain, flow, known.particles, solver.theta)
    now = last.replace(density=last.density.replace(value=density))

    flow = _heat_flow(plasma, now, flow.through(density))
    if solver.extra_chi is not None:
        flow = _damped(flow, plasma, now, solver.extra_chi)
    per_pressure = 3.0 * MEGAJOULE * volume / dt
    gain = per_pressure * old.density.value * old.temperature.value + given.heat
    temperature = _solve(per_pressure * density, gain, flow, known.heat, solver.theta)
    return now.replace(temperature=now.temperature.replace(value=temperature))


def _damped(flow: Flow, plasma: Plasma, last: Profiles, chi: float) -> Flow:
    """Add a diffusivity to the flow, and subtract its effect on the previous profile."""
    geometry = plasma.geometry
    conductivity = 2.0 * MEGAJOULE * last.density.face_value() * chi
    diffusion = conductivity * geometry.vprime_face * geometry.g1_face
    extra = _flow(last.temperature, diffusion, jnp.zeros_like(diffusion), Convection.CENTRAL)
    taken_off = extra.through(last.temperature.value)
    return Flow(
        inner=flow.inner + extra.inner,
        outer=flow.outer + extra.outer,
        constant=flow.constant + extra.constant - taken_off,
    )


def _solve(capacity: Array, gain: Array, flow: Flow, known: Array, theta: float) -> Array:
    """Solve capacity * x + divergence of its flow = gain for x, a tridiagonal system.

    Args:
        capacity: (ncell,).
        gain: (ncell,), content before the step and supply.
        flow: the flow that x drives, weighted with theta.
        known: (ncell + 1,), flow before the step, weighted with 1 - theta.
        theta: how implicit the step is.
    """
    diagonal = capacity + theta * (flow.inner[1:] - flow.outer[:-1])
    lower = (-theta * flow.inner[:-1]).at[0].set(0.0)
    upper = (theta * flow.outer[1:]).at[-1].set(0.0)
    fixed = _divergence(theta * flow.constant + (1.0 - theta) * known)
    right = (gain - fixed)[:, None]
    return jax.lax.linalg.tridiagonal_solve(lower, diagonal, upper, right)[:, 0]


class Iteration(NamedTuple):
    """The state of Newton's iteration."""

    values: Array  # densities, then temperatures (2 ncell,)
    correction: Array  # size of the last correction, relative to the largest value
    corrections: Array  # number of iterations so far


def advance_newton(solver: NewtonSolver, plasma: Plasma, dt: Array) -> Profiles:
    """The profiles after a step of dt [s], by Newton's method.

    It stops when the correction is small. In single precision the residual of stiff equations
    cannot become small, but the correction can.
    """
    known = flows(plasma, plasma.profiles)

    def residual(values: Array) -> Array:
        return _residual(plasma, dt, known, _unpacked(plasma.profiles, values))

    def correct(state: Iteration) -> Iteration:
        jacobian = jax.jacfwd(residual)(state.values)
        change = jnp.linalg.solve(jacobian, -residual(state.values))
        size = jnp.max(jnp.abs(change)) / jnp.max(jnp.abs(state.values))
        return Iteration(state.values + change, size, state.corrections + 1)

    def unfinished(state: Iteration) -> Array:
        inexact = state.correction > solver.tolerance
        return inexact & (state.corrections < solver.iterations_max)

    start = Iteration(_packed(plasma.profiles), jnp.float32(jnp.inf), jnp.int32(0))
    finished = lax.while_loop(unfinished, correct, start)
    return _unpacked(plasma.profiles, finished.values)


def _packed(profiles: Profiles) -> Array:
    """Densities, then temperatures, (2 ncell,)."""
    return jnp.concatenate([profiles.density.value, profiles.temperature.value])


def _unpacked(like: Profiles, values: Array) -> Profiles:
    """Return profiles with these values and the edge conditions of `like`."""
    density, temperature = jnp.split(values, 2)
    return Profiles(
        density=like.density.replace(value=density),
        temperature=like.temperature.replace(value=temperature),
    )


def _residual(plasma: Plasma, dt: Array, known: Flows, new: Profiles) -> Array:
    """Return the residual of the step at the profiles `new`, (2 ncell,).

    It is in units of density and of pressure, so all rows are comparable for cells of any
    volume. This conditions the Jacobian.
    """
    old, theta = plasma.profiles, plasma.solver.theta
    driven, given = flows(plasma, new), supply(plasma, new)
    particles = theta * driven.particles + (1.0 - theta) * known.particles
    heat = theta * driven.heat + (1.0 - theta) * known.heat
    per_volume = dt / plasma.geometry.volume_cell
    density_rise = per_volume * (given.particles - _divergence(particles))
    pressure_rise = per_volume * (given.heat - _divergence(heat)) / (3.0 * MEGAJOULE)
    pressure = new.density.value * new.temperature.value
    pressure_old = old.density.value * old.temperature.value
    return jnp.concatenate(
        [
            new.density.value - old.density.value - density_rise,
            pressure - pressure_old - pressure_rise,
        ]
    )
