"""What the pages hold, ready to print.

Piece("a", "Grid", {"href": "heat.html#Grid"})    ->    <a href="heat.html#Grid">Grid</a>
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one element."""

    tag: Literal["a", "code", "span"]
    text: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])


Text: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of what is known: "Held by", and by what."""

    label: str
    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A field in the tree of a class, with the fields of its own class below it."""

    name: str
    role: str  # what holds of it here: "static", "dynamic", "donated"
    badge: Piece  # the role for readers
    type: Text
    note: Text  # Example: "donated in Tank, kept here, under tanks"
    below: tuple[tuple[TreeNode, ...], ...]  # the fields of its class, if it has some: none or one


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; its first cell is its heading."""

    attributes: Mapping[str, str]  # {"id": "Plate.u"}; empty where nobody links to it
    head: Text
    cells: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with a caption and column headings."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A declaration with a heading of its own."""

    attributes: Mapping[str, str]  # {"id": "Plate"}
    name: str
    kind: str  # Example: "pytree", "static class", "enum", "function"
    head: Text
    doc: tuple[Text, ...]  # paragraphs
    facts: tuple[Fact, ...]
    trees: tuple[tuple[TreeNode, ...], ...]  # none, or one
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The declarations of one kind."""

    id: str
    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class NavItem:
    """A link to a page."""

    name: str
    attributes: Mapping[str, str]  # href, and aria-current on the page itself


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site."""

    path: str  # Example: "modules/plants/boiler.html"
    template: str
    title: str
    up: str  # leads to the folder of the site. Example: "../../"
    nav: tuple[NavItem, ...]
    doc: tuple[Text, ...]
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
