"""The implementation of `schemas/transport.pyi`: geometry, transport, sources.

geometry = circular_geometry(ncell=25)
plasma.transport.coefficients(plasma.profiles)
plasma.fuelling[0].deposition(plasma.geometry)
"""

import jax.numpy as jnp
import numpy as np
from jax import Array

from generated.transport import (
    Balance,
    Bremsstrahlung,
    CellVariable,
    Coefficients,
    ConstantTransport,
    CriticalGradientTransport,
    EdgeSource,
    GaussianSource,
    Geometry,
    Plasma,
    PrescribedSource,
    Profiles,
    ShapedTransport,
    Source,
    TransportModel,
)

MEGAJOULE = 1.602176634e-2  # 1e20 keV in MJ, from the elementary charge (SI, 2019)


def elliptic_geometry(
    ncell: int = 25,
    major_radius: float = 6.2,
    minor_radius: float = 2.0,
    elongation: float = 1.7,
) -> Geometry:
    """Concentric flux surfaces that are ellipses of one shape.

    With x = R + a rho cos(t) and z = kappa a rho sin(t) the volume within rho is
    2 pi^2 R kappa (a rho)^2 and |grad rho|^2 is (cos^2 t + sin^2 t / kappa^2) / a^2;
    the weight R + a rho cos(t) of the average drops out by symmetry.

    Args:
        ncell: cells from axis to edge.
        major_radius: R of the axis [m].
        minor_radius: a, half the width of the plasma [m].
        elongation: kappa, its height over its width.

    Source: F. L. Hinton and R. D. Hazeltine, Rev. Mod. Phys. 48 (1976) 239, for the
    flux-surface average; the default sizes are those of ITER.
    """
    rho_face = np.linspace(0.0, 1.0, ncell + 1)
    volume = 2.0 * np.pi**2 * major_radius * elongation * (minor_radius * rho_face) ** 2
    vprime = 4.0 * np.pi**2 * major_radius * elongation * minor_radius**2 * rho_face
    angle = np.linspace(0.0, 2.0 * np.pi, 256, endpoint=False)
    slope = np.hypot(np.cos(angle), np.sin(angle) / elongation) / minor_radius
    return Geometry(
        ncell=ncell,
        major_radius=major_radius,
        minor_radius=minor_radius,
        elongation=elongation,
        rho_face=rho_face.astype(np.float32),
        rho_cell=((rho_face[1:] + rho_face[:-1]) / 2.0).astype(np.float32),
        volume_cell=np.diff(volume).astype(np.float32),
        vprime_face=vprime.astype(np.float32),
        g0_face=np.full(ncell + 1, np.mean(slope), np.float32),
        g1_face=np.full(ncell + 1, np.mean(slope**2), np.float32),
    )


def spacing(geometry: Geometry) -> float:
    """Width of a cell in rho."""
    return 1.0 / geometry.ncell


def volume(geometry: Geometry) -> float:
    """Plasma volume [m^3]."""
    return float(np.sum(geometry.volume_cell))


def face_value(profile: CellVariable) -> Array:
    """Values on the faces, (ncell,) to (ncell + 1,); the first cell's on the axis."""
    cells = profile.value
    inside = 0.5 * (cells[1:] + cells[:-1])
    if profile.edge_value is not None:
        edge = profile.edge_value
    else:
        assert profile.edge_gradient is not None
        edge = cells[-1] + 0.5 * profile.spacing * profile.edge_gradient
    return jnp.concatenate([cells[:1], inside, edge[None]])


def face_gradient(profile: CellVariable) -> Array:
    """Derivative in rho on the faces, (ncell,) to (ncell + 1,); 0 on the axis."""
    cells = profile.value
    inside = jnp.diff(cells) / profile.spacing
    if profile.edge_gradient is not None:
        edge = profile.edge_gradient
    else:
        assert profile.edge_value is not None
        edge = (profile.edge_value - cells[-1]) / (0.5 * profile.spacing)
    return jnp.concatenate([jnp.zeros(1, cells.dtype), inside, edge[None]])


def undefined_chi(model: TransportModel, profiles: Profiles, geometry: Geometry) -> Array:
    """The default `chi`, for transport models that declare none."""
    raise NotImplementedError(f"{type(model).__name__} declares no chi")


def coefficients(model: TransportModel, profiles: Profiles, geometry: Geometry) -> Coefficients:
    """Transport coefficients on the faces, each (ncell + 1,).

    The pinch is linear in rho, so that nothing flows across the axis.
    """
    chi = model.chi(profiles, geometry)
    return Coefficients(
        chi=chi,
        diffusivity=model.diffusivity_ratio * chi,
        convection=-model.pinch * geometry.rho_face,
    )


def constant_chi(
    model: ConstantTransport,
    profiles: Profiles,  # noqa: ARG001 -- every model has these parameters
    geometry: Geometry,
) -> Array:
    """Return the same heat diffusivity on every face, (ncell + 1,) [m^2/s]."""
    return jnp.full(geometry.ncell + 1, model.level)


def shaped_chi(
    model: ShapedTransport,
    profiles: Profiles,  # noqa: ARG001
    geometry: Geometry,
) -> Array:
    """Return a heat diffusivity given as a function of rho, (ncell + 1,) [m^2/s]."""
    return model.level * model.shape(jnp.asarray(geometry.rho_face))


def critical_gradient_chi(
    model: CriticalGradientTransport, profiles: Profiles, geometry: Geometry
) -> Array:
    """Return the turbulent heat diffusivity, (ncell + 1,) [m^2/s].

    chi = floor + stiffness * T^(3/2) * max(R/L_T - threshold, 0): above the threshold,
    turbulence keeps the gradient close to it. T^(3/2) is the gyro-Bohm scaling.

    Source: X. Garbet et al., Plasma Phys. Control. Fusion 46 (2004) 1351.
    """
    temperature = profiles.temperature.face_value()
    per_metre = geometry.g0_face * profiles.temperature.face_gradient()
    drive = -geometry.major_radius * per_metre / temperature
    excess = jnp.maximum(drive - model.threshold, 0.0)
    return model.floor + model.stiffness * temperature**1.5 * excess


def internal_barrier(rho: Array) -> Array:
    """Return a shape of chi with a fifth of the turbulence within rho = 0.4, and a smooth rise.

    Args:
        rho: (ncell + 1,).
    """
    return 0.6 + 0.4 * jnp.tanh((rho - 0.4) / 0.05)


def uniform(rho: Array) -> Array:
    """Return a source of the same density everywhere: (ncell,) to (ncell,)."""
    return jnp.ones_like(rho)


def undefined_shape(source: Source, geometry: Geometry) -> Array:
    """The default `shape`, for sources that declare none."""
    raise NotImplementedError(f"{type(source).__name__} declares no shape")


def deposition(source: Source, geometry: Geometry) -> Array:
    """Return the deposition in each cell, (ncell,): [1e20/s] or [MW].

    It is normalised by its sum, so the grid contains exactly the total.
    """
    weight = source.shape(geometry) * geometry.volume_cell
    return source.total * weight / jnp.sum(weight)


def gaussian_shape(source: GaussianSource, geometry: Geometry) -> Array:
    """A Gaussian in rho around the centre, (ncell,)."""
    return jnp.exp(-0.5 * ((geometry.rho_cell - source.centre) / source.width) ** 2)


def edge_shape(source: EdgeSource, geometry: Geometry) -> Array:
    """An exponential in rho that is largest at the edge, (ncell,)."""
    return jnp.exp((geometry.rho_cell - 1.0) / source.decay_length)


def prescribed_shape(source: PrescribedSource, geometry: Geometry) -> Array:
    """Return the given function at the centres of the cells, (ncell,)."""
    return source.profile(jnp.asarray(geometry.rho_cell))


def radiated(model: Bremsstrahlung, density: Array, temperature: Array) -> Array:
    """Power density of bremsstrahlung, (ncell,) [MW/m^3].

    Source: J. Wesson, Tokamaks (Oxford, 2011), chapter 4.
    """
    return model.COEFFICIENT * model.z_eff * density**2 * jnp.sqrt(temperature)


def particles(plasma: Plasma) -> Array:
    """Electrons in the plasma [1e20]."""
    return jnp.sum(plasma.geometry.volume_cell * plasma.profiles.density.value)


def thermal_energy(plasma: Plasma) -> Array:
    """Thermal energy of ions and electrons, 3/2 n T of each [MJ]."""
    profiles = plasma.profiles
    pressure = 2.0 * profiles.density.value * profiles.temperature.value
    return 1.5 * MEGAJOULE * jnp.sum(plasma.geometry.volume_cell * pressure)


def imbalance(balance: Balance) -> Array:
    """Return the difference of source, outflow and growth, relative to the source."""
    unexplained = balance.source - balance.outflow - balance.growth
    return jnp.abs(unexplained) / balance.source
