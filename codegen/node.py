"""The base of the frozen types of all stages.

    class Name(Node, frozen=True):
        id: str
        span: Span

    Name("nx", Span(0, 2)) == Name("nx", Span(9, 11))    ->    True

They are structs of msgspec instead of dataclasses. Every build that compiles defines 160 of them,
and a frozen dataclass takes forty times as long, because it generates and compiles six functions.
Types whose comparison ignores no field derive from `msgspec.Struct` directly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import ClassVar

from msgspec import Struct


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
    names = [name for name in kind.__struct_fields__ if name not in kind.POSITION_FIELDS]
    return attrgetter(*names) if names else lambda _: None
