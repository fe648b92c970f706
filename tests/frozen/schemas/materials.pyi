"""Homogeneous solids at room temperature."""

from codegen.schema import impl, static

class Material:
    """A homogeneous, isotropic solid."""

    name: static[str]
    conductivity: static[float]  # heat conductivity [W/(m K)]
    density: static[float]  # mass density [kg/m^3]
    specific_heat: static[float]  # specific heat capacity [J/(kg K)]

    @property
    @impl("examples.heat_model:heat_capacity")
    def heat_capacity(self) -> float:
        """Volumetric heat capacity [J/(m^3 K)]."""

    @property
    @impl("examples.heat_model:diffusivity")
    def diffusivity(self) -> float:
        """Thermal diffusivity [m^2/s]."""
