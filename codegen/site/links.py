"""How pages lead to declarations, and types with links in them.

Links("modules/heat.html").to(Ref("plants.boiler", "Tank"))    ->    "plants/boiler.html#Tank"
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from urllib.parse import quote

from msgspec import Struct

from codegen.diagnostics.printable import escape
from codegen.program import types
from codegen.program.show import dim_text, type_text
from codegen.program.types import Ref, Type
from codegen.site.nodes import Piece, Text
from codegen.site.text import code


def page_of(module: str) -> str:
    """The page of a module; in a folder of their own, no module's name can be in the way."""
    return f"modules/{module.replace('.', '/')}.html"


class Links(Struct, frozen=True):
    """The links of one page."""

    path: str  # of the page

    @property
    def up(self) -> str:
        """What leads to the folder of the site."""
        return "../" * self.path.count("/")

    def href(self, path: str, anchor: str = "") -> str:
        """The address of another page, as this one has to write it."""
        relative = posixpath.relpath(path, posixpath.dirname(self.path) or ".")
        return quote(relative) + (f"#{quote(anchor)}" if anchor else "")

    def to(self, ref: Ref, text: str = "", *, field: str = "") -> Piece:
        """A link to a declaration, or to a field of it."""
        anchor = f"{ref.name}.{field}" if field else ref.name
        return Piece("a", escape(text or anchor), {"href": self.href(page_of(ref.module), anchor)})

    def type(self, type: Type) -> Text:
        """A type as the schema has it, its classes and enums linked."""
        match type:
            case types.ClassType():
                dims: list[Text] = [(code(dim_text(dim)),) for dim in type.dims]
                inside = [*dims, *(self.type(one) for one in type.arguments)]
                text = (self.to(type.ref), *_brackets(inside))
                for dim in reversed(type.stacked):
                    text = (code("stacked"), *_brackets([text, (code(dim_text(dim)),)]))
                return text
            case types.EnumType():
                return (self.to(type.ref),)
            case types.Sequence():
                count = code("..." if type.size is None else dim_text(type.size))
                counted = [(count,)] if type.container == "tuple" else []
                return (code(type.container), *_brackets([self.type(type.element), *counted]))
            case types.FixedTuple() if type.elements:
                return (code("tuple"), *_brackets([self.type(one) for one in type.elements]))
            case types.Mapping():
                inside = [self.type(type.key), self.type(type.value)]
                return (code(type.container), *_brackets(inside))
            case types.Union():
                return _joined([self.type(one) for one in type.members], " | ")
            case types.Identity():
                return (code("identity"), *_brackets([self.type(type.type)]))
            case types.Callable() if type.parameters is not None:
                parameters = _brackets([self.type(one) for one in type.parameters]) or (code("[]"),)
                return (code("Callable"), *_brackets([parameters, self.type(type.result)]))
            case _:
                return (code(type_text(type)),)


def _brackets(items: Sequence[Text]) -> Text:
    return (code("["), *_joined(items, ", "), code("]")) if items else ()


def _joined(items: Sequence[Text], joint: str) -> Text:
    found: list[Piece] = []
    for item in items:
        found += [*([code(joint)] if found else []), *item]
    return tuple(found)
