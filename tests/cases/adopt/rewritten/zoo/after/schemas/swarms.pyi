"""Bases of classes that stay, because they also derive from a class of mjx."""

from typing import Any

from codegen.schema import Shaped, dynamic

from zoo.swarms import _PlaceMethods, _SwarmMethods

class Place(_PlaceMethods):
    """From `zoo.swarms.Place`."""

    u: dynamic[Shaped[...] | float | None]

class Swarm(_SwarmMethods):
    """A swarm."""

    place: dynamic[Place | None]
    queen: dynamic[Shaped[...] | float | None]

class Hive:
    """From `zoo.swarms.Hive`."""

    swarm: dynamic[Any]
