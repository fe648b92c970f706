from typing import Generic, TypeVar

from codegen.schema import dynamic, f32, impl, static

T = TypeVar("T")

class Base(Generic[T]):
    u: dynamic[f32]

    @impl("heat_model:at")
    def at(self, x: float, y: float = 0.0, *, scale: int = 1) -> f32:
        """The value at a point."""

    @impl("heat_model:flux")
    def flux(self, x: float) -> f32:
        """The flux at a point."""

    @impl("heat_model:first")
    def first(self, x: T) -> T:
        """The first of them."""

    @impl("heat_model:name")
    @property
    def name(self) -> str:
        """Its name."""

class Results(Base[int]):
    @impl("heat_model:at")
    def at(self, x: float, y: float = 0.0, *, scale: int = 1) -> float:
        """The value at a point."""

    @impl("heat_model:first")
    def first(self, x: int) -> str:
        """The first of them."""

    @impl("heat_model:name")
    @property
    def name(self) -> str | None:
        """Its name."""

class Types(Base[int]):
    @impl("heat_model:at")
    def at(self, x: int, y: float = 0.0, *, scale: int = 1) -> f32:
        """The value at a point."""

class Missing(Base[int]):
    @impl("heat_model:at")
    def at(self, x: float, y: float = 0.0) -> f32:
        """The value at a point."""

class Order(Base[int]):
    @impl("heat_model:at")
    def at(self, y: float, x: float, *, scale: int = 1) -> f32:
        """The value at a point."""

class Middle(Types):
    n: static[int]

class Required(Middle):
    @impl("heat_model:at")
    def at(self, x: int, y: float, *, scale: int = 1) -> f32:
        """The value at a point."""

    @impl("heat_model:flux")
    def flux(self, x: float, y: float) -> f32:
        """The flux at a point."""
