from codegen.schema import Dim, dynamic, f32, impl, static

nx = Dim()

class Plate:
    u: dynamic[f32[nx]]

    @property
    @impl("heat_model:energy")
    def energy(self) -> f32:
        """Heat content [J]."""

    @impl("heat_model:mass")
    @property
    def mass(self) -> float: ...

    @impl("heat_model:Class.scaled")
    def scaled(self, factor: float, other: Plate | None = None, *, n: int = 1) -> Plate: ...

    @impl("heat_model:nothing")
    def nothing(self) -> None: ...
