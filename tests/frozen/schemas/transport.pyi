"""Transport of particles and heat in a tokamak's core, in one dimension.

Densities are in 1e20 m^-3, temperatures in keV, powers in MW, and particle rates
in 1e20/s, so that single precision holds all of them. The coordinate rho is the
minor radius over that of the edge: 0 on the axis, 1 at the edge.
"""

from collections.abc import Callable
from enum import Enum
from typing import ClassVar

from codegen.schema import Dim, donated, dynamic, f32, impl, static
from examples.transport_checks import OneEdgeCondition

ncell = Dim()  # cells from the axis to the edge
Cells = f32[ncell]
Faces = f32[ncell + 1]

class Geometry(use="static"):
    """Flux-surface averages on a grid of equal cells in rho."""

    ncell: static[int]
    major_radius: static[float]  # [m]
    minor_radius: static[float]  # [m]
    elongation: static[float] = 1.0  # height of a flux surface over its width
    rho_face: static[Faces]
    rho_cell: static[Cells]
    volume_cell: static[Cells]  # volume of each cell [m^3]
    vprime_face: static[Faces]  # dV/drho [m^3]
    g0_face: static[Faces]  # <|grad rho|> [1/m]
    g1_face: static[Faces]  # <|grad rho|^2> [1/m^2]

    @property
    @impl("examples.transport_model:spacing")
    def spacing(self) -> float:
        """Width of a cell in rho."""

    @property
    @impl("examples.transport_model:volume")
    def volume(self) -> float:
        """Plasma volume [m^3]."""

class CellVariable(OneEdgeCondition):
    """A profile: cell averages, flat on the axis, and one condition at the edge."""

    value: donated[Cells]
    edge_value: dynamic[f32 | None] = None
    edge_gradient: dynamic[f32 | None] = None  # derivative in rho
    spacing: static[float]  # width of a cell in rho

    @impl("examples.transport_model:face_value")
    def face_value(self) -> Faces:
        """Values on the faces."""

    @impl("examples.transport_model:face_gradient")
    def face_gradient(self) -> Faces:
        """Derivative in rho on the faces."""

class Profiles:
    """What the transport equations evolve."""

    density: donated[CellVariable]  # of electrons [1e20 m^-3]
    temperature: donated[CellVariable]  # of ions and electrons alike [keV]

class Coefficients:
    """Transport coefficients on the faces."""

    chi: dynamic[Faces]  # heat diffusivity [m^2/s]
    diffusivity: dynamic[Faces]  # particle diffusivity [m^2/s]
    convection: dynamic[Faces]  # particle velocity, outward [m/s]

class TransportModel(abstract=True, use="dynamic"):
    """A model of turbulent transport.

    Particles diffuse in proportion to heat, and are pinched inwards.
    """

    diffusivity_ratio: dynamic[f32] = 0.5  # particle over heat diffusivity
    pinch: dynamic[f32] = 0.0  # inward velocity at the edge, linear in rho [m/s]

    @impl("examples.transport_model:undefined_chi")
    def chi(self, profiles: Profiles, geometry: Geometry) -> Faces:
        """Heat diffusivity on the faces [m^2/s]; every model has its own."""

    @impl("examples.transport_model:coefficients")
    def coefficients(self, profiles: Profiles, geometry: Geometry) -> Coefficients:
        """All transport coefficients."""

class ConstantTransport(TransportModel):
    """The same diffusivity everywhere."""

    level: dynamic[f32] = 1.0  # heat diffusivity [m^2/s]

    @impl("examples.transport_model:constant_chi")
    def chi(self, profiles: Profiles, geometry: Geometry) -> Faces:
        """The level, on every face [m^2/s]."""

class ShapedTransport(TransportModel):
    """A diffusivity that is prescribed as a function of rho."""

    level: dynamic[f32] = 1.0  # heat diffusivity where the shape is 1 [m^2/s]
    shape: static[Callable[[Faces], Faces]]  # of rho

    @impl("examples.transport_model:shaped_chi")
    def chi(self, profiles: Profiles, geometry: Geometry) -> Faces:
        """The level times the shape [m^2/s]."""

class CriticalGradientTransport(TransportModel):
    """Turbulence that sets in above a critical temperature gradient.

    The gradient is normalised as R/L_T = -R (dT/dr) / T.
    """

    floor: dynamic[f32] = 0.3  # heat diffusivity below the threshold [m^2/s]
    stiffness: dynamic[f32] = 1.0  # above it, per unit of R/L_T, at 1 keV [m^2/s]
    threshold: dynamic[f32] = 4.0  # critical R/L_T

    @impl("examples.transport_model:critical_gradient_chi")
    def chi(self, profiles: Profiles, geometry: Geometry) -> Faces:
        """The floor, and a gyro-Bohm part above the threshold [m^2/s]."""

class Source(abstract=True, use="dynamic"):
    """A supply of particles or heat whose shape does not depend on the plasma."""

    total: dynamic[f32]  # over the plasma: [1e20/s] of particles or [MW] of heat

    @impl("examples.transport_model:undefined_shape")
    def shape(self, geometry: Geometry) -> Cells:
        """Deposition in each cell up to a factor; every source has its own."""

    @impl("examples.transport_model:deposition")
    def deposition(self, geometry: Geometry) -> Cells:
        """Deposition in each cell: [1e20/s] or [MW]; its sum is the total."""

class GaussianSource(Source):
    """Deposition around a flux surface: pellets, beams or waves."""

    centre: dynamic[f32] = 0.0  # in rho
    width: dynamic[f32] = 0.2  # standard deviation in rho

    @impl("examples.transport_model:gaussian_shape")
    def shape(self, geometry: Geometry) -> Cells:
        """A Gaussian in rho."""

class EdgeSource(Source):
    """Deposition that decays from the edge inwards: gas puff and recycling."""

    decay_length: dynamic[f32] = 0.1  # in rho

    @impl("examples.transport_model:edge_shape")
    def shape(self, geometry: Geometry) -> Cells:
        """An exponential in rho."""

class PrescribedSource(Source):
    """Deposition that is prescribed as a function of rho."""

    profile: static[Callable[[Cells], Cells]]  # of rho

    @impl("examples.transport_model:prescribed_shape")
    def shape(self, geometry: Geometry) -> Cells:
        """The profile."""

class Bremsstrahlung:
    """Heat radiated by electrons in the field of ions."""

    COEFFICIENT: ClassVar[float] = 5.35e-3  # at 1e20 m^-3 and 1 keV [MW/m^3]

    z_eff: dynamic[f32] = 1.0  # effective charge of the ions

    @impl("examples.transport_model:radiated")
    def radiated(self, density: Cells, temperature: Cells) -> Cells:
        """Power density [MW/m^3]."""

class Convection(Enum):
    """The value that a flow carries across the face between two cells."""

    CENTRAL = "central"  # their mean: second order
    UPWIND = "upwind"  # the one it comes from: first order, never oscillates

class Solver(abstract=True, use="static"):
    """A way to take a step in time, implicit to the degree theta."""

    theta: static[float] = 1.0  # 1: backward Euler; 1/2: Crank-Nicolson
    convection: static[Convection] = Convection.CENTRAL

    @impl("examples.transport_solver:undefined_advance")
    def advance(self, plasma: Plasma, dt: f32) -> Profiles:
        """The profiles after a step of dt [s]; every solver has its own."""

class LinearSolver(Solver):
    """Steps that are linear, their coefficients corrected by fixed-point iteration."""

    corrections: static[int] = 2  # iterations after the first
    extra_chi: static[float | None] = None  # Pereverzev-Corrigan, damps [m^2/s]

    @impl("examples.transport_solver:advance_linear")
    def advance(self, plasma: Plasma, dt: f32) -> Profiles:
        """The profiles after a step of dt [s]."""

class NewtonSolver(Solver):
    """Steps that solve the nonlinear equations by Newton's method."""

    tolerance: static[float] = 1e-5  # of the last correction, over the profile's top
    iterations_max: static[int] = 20

    @impl("examples.transport_solver:advance_newton")
    def advance(self, plasma: Plasma, dt: f32) -> Profiles:
        """The profiles after a step of dt [s]."""

class Plasma:
    """A discharge: its profiles, what drives them, and how they are solved for."""

    profiles: donated[Profiles]
    transport: dynamic[TransportModel]
    fuelling: dynamic[tuple[Source, ...]]
    heating: dynamic[tuple[Source, ...]]
    bremsstrahlung: dynamic[Bremsstrahlung | None] = None
    geometry: static[Geometry]
    solver: static[Solver]
    time: dynamic[f32] = 0.0  # [s]

    @property
    @impl("examples.transport_model:particles")
    def particles(self) -> f32:
        """Electrons in the plasma [1e20]."""

    @property
    @impl("examples.transport_model:thermal_energy")
    def thermal_energy(self) -> f32:
        """Thermal energy of ions and electrons [MJ]."""

class Balance:
    """The particle balance of a step."""

    source: dynamic[f32]  # [1e20/s]
    outflow: dynamic[f32]  # through the edge [1e20/s]
    growth: dynamic[f32]  # of the content [1e20/s]
    change: dynamic[f32]  # largest relative change of a profile [1/s]

    @property
    @impl("examples.transport_model:imbalance")
    def imbalance(self) -> f32:
        """What source, outflow and growth leave unexplained, over the source."""

@impl("examples.transport_solver:advance")
def advance(
    plasma: donated[Plasma], dt: dynamic[f32], n: static[int] = 1
) -> tuple[Plasma, Balance]:
    """Advance by n steps of dt [s]; the balance is that of the last one."""
