"""What `codegen show` prints: trees of nodes as text, one node a line, and which of them.

ClassDecl name='Grid'
  fields: FieldDecl name='nx' role='static' type=int

Wanted({("heat", "Plate")}).one("heat", "Plate")    ->    True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec import NODEFAULT, Struct

from codegen.node import compared_fields

_INDENT = "  "
# Says what a value is in one word or line; None where its fields are to be shown.
Leaf = Callable[[object], str | None]


def dump(node: object, leaf: Leaf, title: str = "") -> Iterator[str]:
    """The lines of a tree. Fields that have their default, or are left out of `==`, are not said."""
    plain: list[str] = []
    below: list[tuple[str, object]] = []
    for name, value in _said(node):
        text = _plain(value, leaf)
        if text is not None:
            plain.append(f" {name}={text}")
        elif isinstance(value, tuple):
            below += [(f"{name}: ", one) for one in cast("tuple[object, ...]", value)]
        else:
            below.append((f"{name}: ", value))
    yield f"{title}{type(node).__name__}{''.join(plain)}"
    for inner_title, value in below:
        text = _plain(value, leaf)
        if text is not None:
            yield f"{_INDENT}{inner_title}{text}"
        elif isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            shown = ", ".join(_plain(part, leaf) or "..." for part in parts)
            yield f"{_INDENT}{inner_title}({shown})"
        else:
            yield from (f"{_INDENT}{line}" for line in dump(value, leaf, inner_title))


def _said(node: object) -> Iterator[tuple[str, object]]:
    if not isinstance(node, Struct):
        return
    # The last fields are those with defaults.
    with_default = node.__struct_fields__[::-1]
    defaults = dict(zip(with_default, node.__struct_defaults__[::-1], strict=False))
    for name in compared_fields(type(node)):
        value: object = getattr(node, name)
        is_default = value == defaults.get(name, NODEFAULT)
        if not is_default and value not in ("", None, (), False):
            yield name, value


def _plain(value: object, leaf: Leaf) -> str | None:
    text = leaf(value)
    if text is not None:
        return text
    if isinstance(value, str | int | float | complex | bytes | None):
        return ascii(value)
    return None


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
