"""The base of the frozen types of all stages.

    class Name(Node, frozen=True):
        id: str
        span: Span

    Name("nx", Span(0, 2)) == Name("nx", Span(9, 11))    ->    True

dump(name, leaf)    ->    "Name id='nx'": what `codegen show` prints, one node a line

They are structs of msgspec instead of dataclasses. Every build that compiles defines 160 of them,
and a frozen dataclass takes forty times as long, because it generates and compiles six functions.
Types whose comparison ignores no field derive from `msgspec.Struct` directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import ClassVar, TypeAlias, cast

from msgspec import NODEFAULT, Struct


class Node(Struct, frozen=True, eq=False, gc=False):
    """A node of a program. Equality ignores source positions."""

    POSITION_FIELDS: ClassVar[frozenset[str]] = frozenset(
        (
            "span",
            "name_span",
            "doc_span",
            "role_span",
            "spec_span",
            "tag_span",
            "use_span",
            "source",
        )
    )
    """The fields that `==` ignores."""

    def __eq__(self, other: object) -> bool:
        """Compare the types, and the fields that are not source positions."""
        kind = type(self)
        if type(other) is not kind:
            return NotImplemented
        compared = _compared_getter(kind)
        return compared(self) == compared(other)

    def __ne__(self, other: object) -> bool:
        """Return the opposite of `==`. The `!=` of structs would not use this `==`."""
        return not self == other

    def __hash__(self) -> int:
        """Return a hash of the fields that `==` compares."""
        return hash(_compared_getter(type(self))(self))


@cache
def _compared_getter(kind: type[Node]) -> Callable[[object], object]:
    names = compared_fields(kind)
    return attrgetter(*names) if names else lambda _: None


def compared_fields(kind: type[Struct]) -> list[str]:
    """Return the fields that `==` compares, in order."""
    places: frozenset[str] = getattr(kind, "POSITION_FIELDS", frozenset())
    return [name for name in kind.__struct_fields__ if name not in places]


_INDENT = "  "
Leaf: TypeAlias = Callable[[object], str | None]
"""Returns a value in one word or line; None if its fields are shown instead."""


def dump(node: object, leaf: Leaf, title: str = "") -> Iterator[str]:
    """Yield the lines of a tree, without fields that have their default or that `==` ignores.

    ClassDecl name='Grid'
      fields: FieldDecl name='nx' role='static' type=int
    """
    plain: list[str] = []
    below: list[tuple[str, object]] = []
    for name, value in _shown_fields(node):
        text = _format_leaf(value, leaf)
        if text is not None:
            plain.append(f" {name}={text}")
        elif isinstance(value, tuple):
            below += [(f"{name}: ", one) for one in cast("tuple[object, ...]", value)]
        else:
            below.append((f"{name}: ", value))
    yield f"{title}{type(node).__name__}{''.join(plain)}"
    for inner_title, value in below:
        text = _format_leaf(value, leaf)
        if text is not None:
            yield f"{_INDENT}{inner_title}{text}"
        elif isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            shown = ", ".join(_format_leaf(part, leaf) or "..." for part in parts)
            yield f"{_INDENT}{inner_title}({shown})"
        else:
            yield from (f"{_INDENT}{line}" for line in dump(value, leaf, inner_title))


def _shown_fields(node: object) -> Iterator[tuple[str, object]]:
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


def _format_leaf(value: object, leaf: Leaf) -> str | None:
    text = leaf(value)
    if text is not None:
        return text
    if isinstance(value, str | int | float | complex | bytes | None):
        return ascii(value)
    return None
