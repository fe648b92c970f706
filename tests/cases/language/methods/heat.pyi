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

    @impl("heat_model:nothing")
    def __call__(self, x: f32[nx], *, n: int = 1) -> f32[nx]:
        """What the plate does to x."""

    @impl("heat_model:Class.added")
    def __add__(self, other: Plate) -> Plate: ...

    @impl("heat_model:shown")
    def __repr__(self) -> str: ...

    @classmethod
    @impl("heat_model:cold")
    def cold(cls, n: int) -> Plate:
        """A plate of n cells at 0 K."""

    @impl("heat_model:celsius")
    @staticmethod
    def celsius(kelvin: float) -> float: ...
