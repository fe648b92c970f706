"""What the frozen types of the stages are made of.

    class Name(Node, frozen=True):
        id: str
        span: Span

    Name("nx", Span(0, 2)) == Name("nx", Span(9, 11))    ->    True

They are structs of msgspec rather than dataclasses, because every build that has something to do
defines 160 of them: a frozen dataclass writes and compiles six functions, which takes forty times as
long. Where nothing has to be left out of comparisons, `msgspec.Struct` itself is their base.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import ClassVar

from msgspec import Struct


class Node(Struct, frozen=True, eq=False, gc=False):
    """Something that was written somewhere: equal to what says the same elsewhere."""

    PLACES: ClassVar[frozenset[str]] = frozenset(
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
    """The fields that are left out of `==`."""

    def __eq__(self, other: object) -> bool:
        """Compare what both say, and their types."""
        kind = type(self)
        if type(other) is not kind:
            return NotImplemented
        said = _said(kind)
        return said(self) == said(other)

    def __ne__(self, other: object) -> bool:
        """The opposite: a struct has a `!=` of its own, which knows nothing of this `==`."""
        return not self == other

    def __hash__(self) -> int:
        """As `==` compares."""
        return hash(_said(type(self))(self))


@cache
def _said(kind: type[Node]) -> Callable[[object], object]:
    names = compared_fields(kind)
    return attrgetter(*names) if names else _nothing


def compared_fields(kind: type[Struct]) -> list[str]:
    """The fields that `==` compares, in order."""
    places: frozenset[str] = getattr(kind, "PLACES", frozenset())
    return [name for name in kind.__struct_fields__ if name not in places]


def _nothing(_: object) -> object:
    return None
