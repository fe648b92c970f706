"""What somebody asked to see of the schemas.

Wanted({("heat", "Plate")}).one("heat", "Plate")    ->    True
"""

from __future__ import annotations

from msgspec import Struct


class Wanted(Struct, frozen=True):
    """Modules and declarations: ("heat", "") is all of a module, ("heat", "Plate") one class."""

    places: frozenset[tuple[str, str]] | None  # None: everything

    def module(self, module: str) -> bool:
        """Whether anything of a module is wanted."""
        return self.places is None or any(place[0] == module for place in self.places)

    def whole(self, module: str) -> bool:
        """Whether a module is wanted as a whole."""
        return self.places is None or (module, "") in self.places

    def one(self, module: str, name: str) -> bool:
        """Whether a declaration is wanted."""
        return self.whole(module) or (self.places is not None and (module, name) in self.places)

    def names(self, module: str) -> tuple[str, ...]:
        """The declarations of a module that are wanted by name."""
        return tuple(sorted(name for place, name in self.places or () if place == module and name))


def find(declared: dict[str, list[str]], name: str | None) -> Wanted | None:
    """What `name` is, of the names that each module declares; None where it is nothing.

    It is a module, "a.b", a declaration, "Plate", or both, "a.b.Plate".
    """
    if name is None:
        return Wanted(None)
    places = {(module, "") for module in declared if module == name}
    places |= {
        (module, own)
        for module, names in declared.items()
        for own in names
        if name in (own, f"{module}.{own}")
    }
    return Wanted(frozenset(places)) if places else None
