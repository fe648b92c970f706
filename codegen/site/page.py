"""What the pages hold, ready to print.

Piece("a", "Grid", {"href": "heat.html#Grid"})    ->    <a href="heat.html#Grid">Grid</a>
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias
from urllib.parse import quote

from msgspec import Struct, field

from codegen.diagnostics.printable import escape
from codegen.program import types
from codegen.program.show import dim_text, type_text
from codegen.program.types import Ref, Type


class Piece(Struct, frozen=True):
    """A run of text in one element.

    Piece("a", "Grid", {"href": "heat.html#Grid"})    ->    <a href="heat.html#Grid">Grid</a>
    """

    tag: Literal["a", "code", "span"]
    text: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])


Text: TypeAlias = tuple[Piece, ...]


class Fact(Struct, frozen=True):
    """A line of what is known: "Held by", and by what."""

    label: str
    items: tuple[Text, ...]


class TreeNode(Struct, frozen=True):
    """A field in the tree of a class, with the fields of its own class below it."""

    name: str
    role: str  # what holds of it here: "static", "dynamic", "donated"
    badge: Piece  # the role for readers
    type: Text
    note: Text  # Example: "donated in Tank, kept here, under tanks"
    below: tuple[tuple[TreeNode, ...], ...]  # the fields of its class, if it has some: none or one


class Row(Struct, frozen=True):
    """A row of a table; its first cell is its heading."""

    attributes: Mapping[str, str]  # {"id": "Plate.u"}; empty where nobody links to it
    head: Text
    cells: tuple[Text, ...]


class Table(Struct, frozen=True):
    """Rows with a caption and column headings."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class PageEntry(Struct, frozen=True):
    """A declaration with a heading of its own."""

    attributes: Mapping[str, str]  # {"id": "Plate"}
    name: str
    kind: str  # Example: "pytree", "static class", "enum", "function"
    head: Text
    doc: tuple[Text, ...]  # paragraphs
    facts: tuple[Fact, ...]
    trees: tuple[tuple[TreeNode, ...], ...]  # none, or one
    tables: tuple[Table, ...]


class Section(Struct, frozen=True):
    """The declarations of one kind."""

    id: str
    title: str
    entries: tuple[PageEntry, ...]


class NavItem(Struct, frozen=True):
    """A link to a page."""

    name: str
    attributes: Mapping[str, str]  # href, and aria-current on the page itself


class Page(Struct, frozen=True):
    """One file of the site."""

    path: str  # Example: "modules/plants/boiler.html"
    template: str
    title: str
    up: str  # leads to the folder of the site. Example: "../../"
    nav: tuple[NavItem, ...]
    doc: tuple[Text, ...]
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()


_CODE = re.compile(r"`([^`\n]+)`")


def span(text: str) -> Piece:
    """Plain text; what cannot be seen is shown as an escape sequence."""
    return Piece("span", escape(text))


def code(text: str) -> Piece:
    """A word of a program."""
    return Piece("code", escape(text))


def words(text: str) -> Text:
    """One line of documentation, what stands between backquotes as code."""
    found: list[Piece] = []
    at = 0
    line = " ".join(text.split())
    for match in _CODE.finditer(line):
        if match.start() > at:
            found.append(span(line[at : match.start()]))
        found.append(code(match[1]))
        at = match.end()
    return (*found, span(line[at:])) if at < len(line) else tuple(found)


def paragraphs(text: str) -> tuple[Text, ...]:
    r"""Documentation, split at blank lines.

    paragraphs("One.\n\nTwo `n`.")    ->    ((Piece("span", "One."),), (..., Piece("code", "n"), ...))
    """
    parts = re.split(r"\n[ \t]*\n", text)
    return tuple(words(part) for part in parts if part.strip())


def summary(text: str) -> Text:
    """The first paragraph."""
    return next(iter(paragraphs(text)), ())


def page_of(module: str) -> str:
    """The page of a module; in a folder of their own, no module's name can be in the way."""
    return f"modules/{module.replace('.', '/')}.html"


class Links(Struct, frozen=True):
    """The links of one page.

    Links("modules/heat.html").to(Ref("plants.boiler", "Tank"))    ->    "plants/boiler.html#Tank"
    """

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
