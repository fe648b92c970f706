"""From `plants.plant`."""

from typing import Any

from codegen.schema import Shaped, dynamic, field, static

from plants.base import identity
from plants.plant import _BoilerMethods, _PlantMethods, _WallMethods
from .base import Pair, Part

class Boiler(_BoilerMethods, Part, kw_only=False):
    """From `plants.plant.Boiler`."""

    count: dynamic[Any] = 0  # declared anew, with another type
    heat: dynamic[Shaped[...] | float | None] = field(factory="plants.base:zeros")
    start: dynamic[Shaped[...] | float | None] = field(factory="plants.plant:_boiler_start_default")
    angle: dynamic[bool | int | float | None] = field(factory="plants.plant:_boiler_angle_default")
    shape: static[tuple[int, ...]] = (2, 3)
    curve: static[Any] = identity
    extra: dynamic[Any] = {}

class Config(kw_only=False):
    """From `plants.plant.Config`."""

    order: static[int | None] = 2
    rate: static[int | float | None] = 1  # an int where a float is said
    name: static[str | None] = "a \"b\""

class Plant(_PlantMethods, kw_only=False):
    """From `plants.plant.Plant`."""

    parts: dynamic[Any]
    config: static[Config]
    pair: dynamic[Pair[Any] | None]
    maybe: dynamic[bool | int | float | None] = 0.0
    by_name: dynamic[Any] = {}
    rows: dynamic[Any] = None
    odd: dynamic[Any] = None  # which holds a number too
    limit: dynamic[bool | int | float | None] = field(factory="plants.plant:_plant_limit_default")

class Wall(_WallMethods):
    """From `plants.plant.Wall`."""

    heat: dynamic[Shaped[...] | float | None]
    mass: dynamic[Shaped[...] | float | None]  # one for each of the heat's
    sides: dynamic[Shaped[...] | float | None]
    links: dynamic[Shaped[...] | float | None]
