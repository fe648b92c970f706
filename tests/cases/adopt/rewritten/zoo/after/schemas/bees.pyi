"""A generated subclass, and subclasses that mjx registers."""

from codegen.schema import Shaped, dynamic

from .swarms import Swarm as swarms_Swarm

class Swarm(swarms_Swarm):
    """From `zoo.bees.Swarm`."""

    honey: dynamic[Shaped[...] | float | None]
