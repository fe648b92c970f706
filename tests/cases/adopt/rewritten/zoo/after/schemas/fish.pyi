"""A class of mjx stays, which reads the annotations of its fields: they must not become strings."""

from codegen.schema import Shaped, dynamic

from zoo.fish import _FinMethods, _TailMethods

class Fin(_FinMethods):
    """From `zoo.fish.Fin`."""

    u: dynamic[Shaped[...] | float | None]

class Tail(_TailMethods):
    """From `zoo.fish.Tail`."""

    u: dynamic[Shaped[...] | float | None]
