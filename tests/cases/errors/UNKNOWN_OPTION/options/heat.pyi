from typing import TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, impl, static

nx = Dim(3)
ny = Dim(mehs="rows", size=3)
T = TypeVar("T", covariant=True)

class Grid(abstrct=True, frozen=True, foo=3, metaclass=Meta, registration="jax"):
    a: static[int] = field(3, defualt=4, static=True)
    b: static[tuple[int, ...]] = field(default_factory=tuple)

    @impl("heat_model:area", keep_unused=True)
    def area(self) -> float: ...

@impl("heat_model:step", keep_unsed=True, static_argnums=3)
def step(t: dynamic[f32]) -> f32: ...
