"""Heat conduction in a rectangular plate, in two dimensions."""

from collections.abc import Callable
from enum import Enum
from typing import Literal

from codegen.schema import Dim, donated, dynamic, f32, impl, static

from .materials import Material

nx = Dim(mesh="rows")  # cells along x
ny = Dim(mesh="cols")  # cells along y
Field = f32[nx, ny]

class Scheme(Enum):
    """How a step advances the temperature in time."""

    EXPLICIT = "explicit"  # forward Euler: stable below a longest step
    ALTERNATING_DIRECTION = "alternating-direction"  # implicit along x, then y

class Grid:
    """Equal rectangular cells that cover the plate."""

    nx: static[int]  # cells along x
    ny: static[int]  # cells along y
    dx: static[float] = 0.01  # cell size along x [m]
    dy: static[float] = 0.01  # cell size along y [m]

    @property
    @impl("examples.heat_model:cell_area")
    def cell_area(self) -> float:
        """Area of one cell [m^2]."""

class Plate:
    """Temperature of a thin plate, its conduction properties and its time.

    The temperature counts from the ambient one, so that single precision is
    spent on differences rather than on 300 K.
    """

    u: donated[Field]  # temperature above ambient, cell averages [K]
    alpha: dynamic[Field]  # thermal diffusivity [m^2/s]
    grid: static[Grid]
    material: static[Material]
    thickness: static[float] = 0.001  # [m]
    t: dynamic[f32] = 0.0  # time [s]
    scheme: static[Scheme] = Scheme.EXPLICIT
    boundary: static[Literal["insulated", "ambient"]] = "insulated"
    source: static[Callable[[Field], Field] | None] = None  # heating rate of u [K/s]

    @property
    @impl("examples.heat_model:longest_step")
    def longest_step(self) -> f32:
        """Longest stable step of the explicit scheme [s]."""

    @impl("examples.heat_model:heat_content")
    def heat_content(self) -> f32:
        """Heat content above ambient [J]."""

@impl("examples.heat_model:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance the plate by n steps of dt [s]."""
