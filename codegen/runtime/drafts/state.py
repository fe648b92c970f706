# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What is behind a draft: a cell for each field, and the one trace they belong to.

    Node of a Plate.Draft:  cells  u -> Cell(array), first -> Cell(a Linear.Draft)
                            session   one for the draft and all nested drafts in it

A part that is declared as shared is one cell, found under several nodes. Drafts of other
generated packages have the same behind them, so that they are told by `__codegen_node__`.

Which fields may not be written, and why, a lift passes on:

    reasons_of(draft)           # ((("part", "b"), "it has no axis ..."),)
    forbid(inner, reasons)      # nor may those of the draft that a nested function gets
"""

import copy
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol, TypeAlias

import jax
from jax.core import Tracer

from ..keys.interning import TraceKey
from ..tracing import trace_state

# Places, of fields, items and keys, and why they may not be written; that of () is one
# for all. They choose the function that JAX traces, so they are hashed.
Reasons: TypeAlias = tuple[tuple[tuple[Any, ...], str], ...]

# What is looked into for objects with arrays.
CONTAINERS: Final = (tuple, list, dict)
# The package's own, of which `lift` is a part.
PACKAGE: Final = __name__.rpartition(".drafts.")[0]


class DraftError(RuntimeError):
    """A draft was used where it may not be, or as what it is not."""


class AnyDraft(Protocol):
    """A draft of this package or of another one."""

    @property
    def __codegen_node__(self) -> Any: ...


@dataclasses.dataclass(eq=False, slots=True)
class Cell:
    """The place of one field's value, or of a shared one's."""

    value: Any
    # Why it may not be written; empty where it may.
    read_only: str = ""
    # A list or dict that the value was, and the copy of it that was given out.
    given: tuple[Any, Any] = (None, None)


@dataclasses.dataclass(eq=False, slots=True)
class Session:
    """What a draft and the drafts nested in it have in common."""

    trace: Any
    root: AnyDraft | None = None
    # Why none of them can be used any more, after "its draft".
    ended: str = ""
    # The transformation that they are lent to.
    lent: str = ""


@dataclasses.dataclass(eq=False, slots=True)
class Node:
    """The state of one draft."""

    key: TraceKey
    cells: dict[str, Cell]
    session: Session

    def place(self, name: str) -> str:
        """Name a field as an error text does; an empty name stands for the draft."""
        cls = self.key.cls.__qualname__
        return f"`{cls}.{name}`" if name else f"a draft of `{cls}`"

    def require(self, name: str, done: str) -> None:
        """Refuse what is done to a field from elsewhere, or too late."""
        session = self.session
        if not session.ended and not session.lent and session.trace == trace_state():
            return
        what, draft = f"{self.place(name)} was {done}", "its draft"
        if not name:
            is_part = session.root and session.root.__codegen_node__ is not self
            draft = "the draft that it is part of" if is_part else "it"
        if session.ended:
            raise DraftError(f"{what}, but {draft} {session.ended}")
        if session.lent:
            raise DraftError(
                f"{what} while {draft} is lent to `{session.lent}`: use the draft "
                "that the function gets, or take the value into a local before"
            )
        raise DraftError(
            f"{what} in a trace that {draft} was neither made in nor passed to: pass "
            "the draft to the transformation, as `lift.jit(f)(draft)`, `lift.scan`, "
            f"`lift.cond`, ... of `from {PACKAGE} import lift` do, or take the "
            "value into a local before; out of a trace, return `draft.freeze()`"
        )

    def require_writable(self, name: str) -> None:
        """Refuse to write a field that cannot be written."""
        self.require(name, "written")
        cell = self.cells[name]
        below = (inner for node in nodes(cell.value) for inner in node.cells.values())
        for each in (cell, *below):
            if each.read_only:
                raise DraftError(
                    f"{self.place(name)} was written, but {each.read_only}"
                )

    def require_alive(self, name: str) -> None:
        """Refuse an array that was consumed after the draft was made."""
        value = self.cells[name].value
        if any(map(_is_deleted, jax.tree_util.tree_leaves(value, is_leaf=is_draft))):
            raise DraftError(
                f"{self.place(name)} was consumed after its draft was made, by a "
                "call that donates it: make the draft of what that call returned"
            )

    def copy_of(self, name: str) -> Any:
        """Return a copy of a list or dict in a field, the same one until it is written."""
        self.require_unchanged(name)
        cell = self.cells[name]
        if cell.given[0] is not cell.value:
            cell.given = cell.value, _copied(cell.value)
        return cell.given[1]

    def require_unchanged(self, name: str) -> None:
        """Refuse a change to a copy that was given out, for it would be lost."""
        value = self.cells[name].value
        given_of, given = self.cells[name].given
        if given_of is value and _content(given) != _content(value):
            is_list = type(value) is list
            remedy = f"[*draft.{name}, x]" if is_list else f"{{**draft.{name}, key: x}}"
            raise DraftError(
                f"{self.place(name)} was changed in place, but what is read of it is a "
                f"copy: assign the whole of it, as `draft.{name} = {remedy}`; to "
                f"change a copy alone, take `{type(value).__name__}(draft.{name})`"
            )


def is_draft(value: object) -> bool:
    """Tell whether something is a draft, of this package or of another one."""
    return hasattr(type(value), "__codegen_node__")


def entries(value: Any) -> list[tuple[Any, Any]]:
    """Return the items of a tuple, list or dict with their keys; nothing else has any."""
    if type(value) not in CONTAINERS:
        return []
    return list(value.items() if type(value) is dict else enumerate(value))


def rebuilt(value: Any, items: Iterable[Any]) -> Any:
    """Return a tuple, list or dict of other items."""
    kind: Any = type(value)
    return dict(zip(value, items, strict=True)) if kind is dict else kind(items)


def nodes(value: Any) -> Iterator[Node]:
    """Walk over a draft and those nested in it, or over those in a container."""
    if is_draft(value):
        node: Node = value.__codegen_node__
        yield node
        for cell in node.cells.values():
            yield from nodes(cell.value)
    for _, item in entries(value):
        yield from nodes(item)


def require_sound(draft: AnyDraft) -> None:
    """Refuse a draft of which an array was consumed, or a change would be lost."""
    for node in nodes(draft):
        for name in node.cells:
            node.require_unchanged(name)
            node.require_alive(name)


def _is_deleted(value: Any) -> bool:
    concrete = isinstance(value, jax.Array) and not isinstance(value, Tracer)
    return concrete and bool(value.is_deleted())


def _copied(value: Any) -> Any:
    """Copy the lists and dicts of a value, and keep all else."""
    if isinstance(value, dict):
        made: Any = copy.copy(value)
        for key, item in value.items():
            made[key] = _copied(item)
        return made
    if isinstance(value, list):
        made = copy.copy(value)
        made[:] = map(_copied, value)
        return made
    if isinstance(value, tuple):
        make = getattr(value, "_make", None)  # of a named tuple
        if make is not None or type(value) is tuple:
            return (make or tuple)(map(_copied, value))
    return value


def _content(value: Any) -> Any:
    """Return what a copy has in common with its original: its leaves are the same."""
    if isinstance(value, dict):
        return type(value), [*value], [*map(_content, value.values())]
    if isinstance(value, list | tuple):
        return type(value), [*map(_content, value)]
    return id(value)


# --- what may not be written


def reasons_of(draft: AnyDraft) -> Reasons:
    """Return why which places below a draft may not be written."""
    found = ((place, cell.read_only) for place, cell in _cells(draft, ()))
    return tuple((place, reason) for place, reason in found if reason)


def forbid(draft: AnyDraft, reasons: Reasons) -> None:
    """Let nobody write some places below a draft, nor the field that holds each."""
    cells = dict(_cells(draft, ()))
    for place, reason in reasons:
        found = [*cells.values()]
        if place:
            # An array in a container has no cell of its own.
            lengths = range(len(place), 0, -1)
            found = [next(cells[place[:n]] for n in lengths if place[:n] in cells)]
        for cell in found:
            cell.read_only = reason


def _cells(
    value: Any, place: tuple[Any, ...]
) -> Iterator[tuple[tuple[Any, ...], Cell]]:
    """Walk over the cells of a draft and of those nested in it, each with its place."""
    if is_draft(value):
        for name, cell in value.__codegen_node__.cells.items():
            yield (*place, name), cell
            yield from _cells(cell.value, (*place, name))
    for key, item in entries(value):
        yield from _cells(item, (*place, key))
