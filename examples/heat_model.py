"""The implementation of `schemas/heat.pyi` and `schemas/materials.pyi`: heat conduction.

The plate is divided into cells. Each cell exchanges heat with its four neighbours in
proportion to the temperature difference. Heat that leaves one cell enters another, so an
insulated plate conserves its heat up to rounding.

    plate = heat.step(plate, dt=0.4, n=100)
"""

from functools import partial
from typing import Literal

import jax
import jax.numpy as jnp
from jax import Array, lax

from generated.heat import Grid, Plate, Scheme
from generated.materials import Material


def heat_capacity(material: Material) -> float:
    """Volumetric heat capacity [J/(m^3 K)]."""
    return material.density * material.specific_heat


def diffusivity(material: Material) -> float:
    """Thermal diffusivity [m^2/s]."""
    return material.conductivity / material.heat_capacity


def cell_area(grid: Grid) -> float:
    """Area of one cell [m^2]."""
    return grid.dx * grid.dy


def heat_content(plate: Plate) -> Array:
    """Heat content above ambient [J]."""
    volume = plate.grid.cell_area * plate.thickness
    return plate.material.heat_capacity * volume * jnp.sum(plate.u)


def longest_step(plate: Plate) -> Array:
    """Longest step at which forward Euler is stable [s].

    Gershgorin's circles bound the decay rate of the fastest mode by twice the
    largest sum of a cell's exchange rates. A cell at the ambient edge exchanges
    at twice the rate there, hence 3 instead of 2.

    Source: R. J. LeVeque, Finite Difference Methods for Ordinary and Partial
    Differential Equations (SIAM 2007), section 9.3.
    """
    grid = plate.grid
    faces = 2.0 if plate.boundary == "insulated" else 3.0
    exchange = faces * (1.0 / grid.dx**2 + 1.0 / grid.dy**2)
    return 1.0 / (jnp.max(plate.alpha) * exchange)


def newton_cooling(u: Array) -> Array:
    """Heating rate of a plate whose faces lose heat to still air [K/s].

    Newton's law of cooling: the loss is proportional to the excess temperature u
    of shape (nx, ny), here with a time constant of 1000 s.
    """
    return -1e-3 * u


def step(plate: Plate, dt: Array, n: int) -> Plate:
    """Advance the plate by n steps of dt [s]."""
    match plate.scheme:
        case Scheme.EXPLICIT:
            advance = partial(_step_explicit, plate, dt)
        case Scheme.ALTERNATING_DIRECTION:
            advance = partial(_step_alternating, plate, dt)
    u = lax.fori_loop(0, n, lambda _, u: advance(u), plate.u)
    return plate.replace(u=u, t=plate.t + n * dt)


def _step_explicit(plate: Plate, dt: Array, u: Array) -> Array:
    """Forward Euler: second order in space, first in time."""
    along_x = _exchange(_rates_x(plate), u)
    along_y = _exchange(_rates_y(plate), u.T).T
    return u + dt * (along_x + along_y + _source(plate, u))


def _step_alternating(plate: Plate, dt: Array, u: Array) -> Array:
    """Half a step implicit along x, half a step implicit along y.

    Unconditionally stable, second order in space and time; a source is taken at
    the start of each half.

    Source: D. W. Peaceman and H. H. Rachford, J. SIAM 3 (1955) 28.
    """
    half = 0.5 * dt
    rates_x, rates_y = _rates_x(plate), _rates_y(plate)
    explicit = u + half * (_exchange(rates_y, u.T).T + _source(plate, u))
    u = _solve_implicit(rates_x, half, explicit)
    explicit = u + half * (_exchange(rates_x, u) + _source(plate, u))
    return _solve_implicit(rates_y, half, explicit.T).T


def _source(plate: Plate, u: Array) -> Array:
    return jnp.zeros_like(u) if plate.source is None else plate.source(u)


def _rates_x(plate: Plate) -> Array:
    """Exchange rates across the faces along x, of shape (nx + 1, ny) [1/s]."""
    return _rates(plate.alpha, plate.grid.dx, plate.boundary)


def _rates_y(plate: Plate) -> Array:
    """Exchange rates across the faces along y, of shape (ny + 1, nx) [1/s]."""
    return _rates(plate.alpha.T, plate.grid.dy, plate.boundary)


def _rates(alpha: Array, spacing: float, boundary: Literal["insulated", "ambient"]) -> Array:
    """Exchange rates across the faces along the first axis [1/s].

    Two half cells conduct in series, so the harmonic mean of their diffusivities
    is what makes the flux across the face between them continuous.

    Source: S. V. Patankar, Numerical Heat Transfer and Fluid Flow (1980), 4.2-3.
    """
    near, far = alpha[:-1], alpha[1:]
    inside = 2.0 * near * far / (near + far)
    # The ambient temperature is on the edge itself, half a cell away.
    edge = 0.0 if boundary == "insulated" else 2.0
    faces = jnp.concatenate([edge * alpha[:1], inside, edge * alpha[-1:]])
    return faces / spacing**2


def _exchange(rates: Array, u: Array) -> Array:
    """Heating by the neighbours along the first axis; beyond the edge u is 0."""
    jumps = jnp.diff(jnp.pad(u, ((1, 1), (0, 0))), axis=0)
    return jnp.diff(rates * jumps, axis=0)


def _solve_implicit(rates: Array, dt: Array, known: Array) -> Array:
    """Solve u - dt * exchange(u) = known, a tridiagonal system a column."""
    before, after = dt * rates[:-1], dt * rates[1:]
    # The corners are outside of the matrix and must be zero.
    lower = -before.at[0].set(0.0)
    upper = -after.at[-1].set(0.0)
    bands = (lower.T, (1.0 + before + after).T, upper.T)
    return jax.lax.linalg.tridiagonal_solve(*bands, known.T[..., None])[..., 0].T
