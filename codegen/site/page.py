"""The content of pages, and the HTML of names, types and documentation in them.

span("Grid & co.")                                  ->    <span>Grid &amp; co.</span>
Links("modules/heat.html").to(Ref("heat", "Grid"))  ->    <a href="heat.html#Grid">Grid</a>
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct

from codegen.diagnostics.printable import escape
from codegen.program import types
from codegen.program.show import dim_text, type_text
from codegen.program.types import Ref, Type


class TreeNode(Struct, frozen=True):
    """A field in the tree of a class, with the fields of its own class below it."""

    name: str
    role: str  # its role in this tree: "static", "dynamic", "donated", "ref"
    badge: Markup  # the role as HTML
    type: Markup  # its type and a note. Example: "donated in Tank, but kept here, because tanks is dynamic"
    below: tuple[TreeNode, ...]


class PageRow(Struct, frozen=True):
    """A row of a table; its first cell is its heading."""

    head: Markup
    cells: tuple[Markup, ...]
    id: str | None = None  # "Plate.u"; None if nothing links to it


class PageTable(Struct, frozen=True):
    """Rows with a caption and column headings."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[PageRow, ...]


class PageEntry(Struct, frozen=True):
    """A declaration with its own heading."""

    name: str
    kind: str  # Example: "pytree", "static class", "enum", "function"
    head: Markup
    doc: tuple[Markup, ...]  # paragraphs
    facts: Mapping[str, Sequence[Markup]] = {}  # by title. Example: "Contained in"
    tree: tuple[TreeNode, ...] = ()
    tables: tuple[PageTable, ...] = ()


class Page(Struct, frozen=True):
    """One file of the site."""

    path: str  # Example: "modules/plants/boiler.html"
    template: str
    title: str
    up: str  # the relative path to the folder of the site. Example: "../../"
    nav: tuple[tuple[str, Mapping[str, str]], ...]  # each page, and the attributes of its link
    doc: tuple[Markup, ...] = ()
    sections: Mapping[str, Sequence[PageEntry]] = {}  # the entries below each title
    tables: tuple[PageTable, ...] = ()


_CODE = re.compile(r"`([^`\n]+)`")
_NOTHING = Markup()


def span(text: str) -> Markup:
    """Return plain text as HTML, with escape sequences for invisible characters."""
    return Markup("<span>{}</span>").format(escape(text))


def code(text: str) -> Markup:
    """Return a piece of program text as HTML."""
    return Markup("<code>{}</code>").format(escape(text))


def words(text: str) -> Markup:
    """Return one line of documentation as HTML, with text between backquotes as code."""
    parts = _CODE.split(" ".join(text.split()))
    # Every second part was between backquotes.
    shown = (code(part) if at % 2 else span(part) for at, part in enumerate(parts) if part)
    return _NOTHING.join(shown)


def paragraphs(text: str) -> tuple[Markup, ...]:
    r"""Split documentation at blank lines, and return its paragraphs as HTML.

    paragraphs("One.\n\nTwo `n`.")    ->    (<span>One.</span>, <span>Two </span><code>n</code>...)
    """
    parts = re.split(r"\n[ \t]*\n", text)
    return tuple(words(part) for part in parts if part.strip())


def summary(text: str) -> Markup:
    """Return the first paragraph of a documentation as HTML."""
    return next(iter(paragraphs(text)), _NOTHING)


def page_of(module: str) -> str:
    """Return the path of a module's page; its own folder avoids collisions with other files."""
    return f"modules/{module.replace('.', '/')}.html"


@lru_cache(10_000)
def _link(links: Links, module: str, anchor: str) -> Markup:
    """Return a link to a declaration or field. A page repeats the links of its trees."""
    href = links.href(page_of(module), anchor)
    return Markup('<a href="{}">{}</a>').format(href, escape(anchor))


class Links(Struct, frozen=True):
    """The links of one page.

    Links("modules/heat.html").to(Ref("plants.boiler", "Tank"))    ->    <a href="plants/boiler.html#Tank">...
    """

    path: str  # of the page

    @property
    def up(self) -> str:
        """The relative path to the folder of the site."""
        return "../" * self.path.count("/")

    def href(self, path: str, anchor: str = "") -> str:
        """Return the address of another page, relative to this page."""
        relative = posixpath.relpath(path, posixpath.dirname(self.path) or ".")
        return quote(relative) + (f"#{quote(anchor)}" if anchor else "")

    def module(self, name: str) -> Markup:
        """Return a link to the page of a module."""
        return Markup('<a href="{}">{}</a>').format(self.href(page_of(name)), name)

    def to(self, ref: Ref, *, field: str = "") -> Markup:
        """Return a link to a declaration, or to one of its fields."""
        return _link(self, ref.module, f"{ref.name}.{field}" if field else ref.name)

    def type(self, type: Type) -> Markup:
        """Return a type as the schema writes it, with links for its classes and enums."""
        match type:
            case types.ClassType():
                dims = [code(dim_text(dim)) for dim in type.dims]
                text = self.to(type.ref) + _brackets([*dims, *map(self.type, type.arguments)])
                for dim in reversed(type.stacked):
                    text = code("stacked") + _brackets([text, code(dim_text(dim))])
                return text
            case types.EnumType():
                return self.to(type.ref)
            case types.Sequence():
                count = code("..." if type.size is None else dim_text(type.size))
                counted = [count] if type.container == "tuple" else []
                return code(type.container) + _brackets([self.type(type.element), *counted])
            case types.FixedTuple() if type.elements:
                return code("tuple") + _brackets(map(self.type, type.elements))
            case types.Mapping():
                return code(type.container) + _brackets(map(self.type, (type.key, type.value)))
            case types.Union():
                return code(" | ").join(map(self.type, type.members))
            case types.Identity():
                return code("identity") + _brackets([self.type(type.type)])
            case types.Callable() if type.parameters is not None:
                parameters = _brackets(map(self.type, type.parameters)) or code("[]")
                return code("Callable") + _brackets([parameters, self.type(type.result)])
            case _:
                return code(type_text(type))


def _brackets(items: Iterable[Markup]) -> Markup:
    inside = code(", ").join(items)
    return code("[") + inside + code("]") if inside else _NOTHING
