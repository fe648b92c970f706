"""What the pages hold, ready to print.

Piece("a", "Grid", {"href": "heat.html#Grid"})    ->    <a href="heat.html#Grid">Grid</a>
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct, field


class Piece(Struct, frozen=True):
    """A run of text in one element."""

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


class Entry(Struct, frozen=True):
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
    entries: tuple[Entry, ...]


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
