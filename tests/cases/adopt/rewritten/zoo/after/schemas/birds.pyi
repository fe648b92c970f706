"""Classes with a decorator of the package, and classes of mjx."""

from typing import Any

from codegen.schema import Shaped, dynamic, static

from zoo.birds import _ContactMethods, _LaidMethods, _NearMethods, _WingMethods
from .animals import Bear

class Nest(kw_only=False):
    """From `zoo.birds.Nest`."""

    obj: dynamic[Shaped[...] | float | None]
    init: dynamic[Any] = 1.0
    twigs: static[tuple[int, ...]] = ()

class Tree(Nest, kw_only=False):
    """From `zoo.birds.Tree`."""

    nests: dynamic[Any] = ()

class Twig:
    """Only a class that is taken out too reads its name."""

    size: dynamic[Any]

class Bud:
    """From `zoo.birds.Bud`."""

    size: dynamic[Any]

class Bough:
    """Its treedef differs from that of `Bud` only when both are generated."""

    size: dynamic[Any]

class Hedge(kw_only=False):
    """From `zoo.birds.Hedge`."""

    twigs: dynamic[Any] = ()

class Contact(_ContactMethods):
    """From `zoo.birds.Contact`."""

    dist: dynamic[Shaped[...] | float | None]
    dim: static[int | None]

class Wing(_WingMethods, kw_only=False):
    """From `zoo.birds.Wing`."""

    contact: dynamic[Contact | None]
    contacts: dynamic[Any]
    size: dynamic[Shaped[...] | float | None]
    text: static[str | None] = "wing"

class Near(_NearMethods, kw_only=False):
    """From `zoo.birds.Near`."""

    far: dynamic[Shaped[...] | float | None] = None

class Laid(_LaidMethods):
    """From `zoo.birds.Laid`."""

    size: dynamic[Shaped[...] | float | None]

class Hummingbird(Bear, kw_only=False):
    """From `zoo.birds.Hummingbird`."""

    wings: dynamic[Any] = None
