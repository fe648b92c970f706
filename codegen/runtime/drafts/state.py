# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""What is behind a draft: a cell for each field, and the one trace they belong to.

    Node of a Plate.Draft:  cells  u -> Cell(array), first -> Cell(a Linear.Draft)
                            session   one for the draft and all nested drafts in it

A part that is declared as shared is one cell, found under several nodes. An object is
loaded into nodes, changed there, and unloaded into an object again.
"""

import dataclasses
import operator
from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias, TypeVar

import jax
from jax.core import Tracer

from ..call.tracing import trace_state
from ..keys.interning import TraceKey
from .copies import copied, is_copy

T = TypeVar("T")
Path: TypeAlias = tuple[str, ...]
# Rows of paths that are declared as one part each.
Shares: TypeAlias = tuple[tuple[Path, ...], ...]


class DraftError(RuntimeError):
    """A draft was used where it may not be, or as what it is not."""


class AnyDraft(Protocol):
    """A draft of this package or of another, as type checkers know it."""

    def __codegen_known__(self) -> None: ...


class Twin:
    """The base of drafts: what this module knows of them."""

    __slots__ = ("__codegen_node__", "__weakref__")

    __codegen_node__: "Node"

    @classmethod
    def __codegen_known__(cls) -> None:
        """Let JAX know the class, before there is an object of it."""


@dataclasses.dataclass(eq=False, slots=True)
class Cell:
    """The place of one field's value, or of a shared one's."""

    value: Any
    # Why it may not be written; empty where it may.
    fixed: str = ""
    # A list or dict that the value was, and the copy of it that was given out.
    given: tuple[Any, Any] | None = None


@dataclasses.dataclass(eq=False, slots=True)
class Row:
    """Paths below a node that are declared as one part; the first owns it."""

    node: "Node"
    paths: tuple[Path, ...]
    cell: Cell | None = None


@dataclasses.dataclass(eq=False, slots=True)
class Session:
    """What a draft and the drafts nested in it have in common."""

    trace: Any
    root: "Twin | None" = None
    # Why none of them can be used any more, after "its draft".
    ended: str = ""
    # The transformation that they are lent to.
    lent: str = ""
    # Why none of them may be written.
    fixed: str = ""
    # Whether some cell of them may not be.
    marked: bool = False
    rows: list[Row] = dataclasses.field(default_factory=list)


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
        what, draft = f"{self.place(name)} was {done}", self._draft(name)
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
            f"`lift.cond`, ... of `from {__package__} import lift` do, or take the "
            "value into a local before; out of a trace, return `draft.freeze()`"
        )

    def _draft(self, name: str) -> str:
        """Name the draft behind what `place` names, in the same sentence."""
        root = self.session.root
        if name:
            return "its draft"
        whole = root is None or root.__codegen_node__ is self
        return "it" if whole else "the draft that it is part of"

    def require_writable(self, name: str) -> None:
        """Refuse to write a field that cannot be written."""
        self.require(name, "written")
        cell = self.cells[name]
        reasons = [self.session.fixed, cell.fixed]
        reasons += [c.fixed for n in nodes(cell.value) for c in n.cells.values()]
        for reason in filter(None, reasons):
            raise DraftError(f"{self.place(name)} was written, but {reason}")

    def copy_of(self, name: str) -> Any:
        """Return a copy of a list or dict in a field, the same one until it is written."""
        self.require_unchanged(name)
        cell = self.cells[name]
        if cell.given is None or cell.given[0] is not cell.value:
            cell.given = cell.value, copied(cell.value)
        return cell.given[1]

    def require_alive(self, name: str) -> None:
        """Refuse an array that was consumed after the draft was made."""
        value = self.cells[name].value
        if any(map(_is_deleted, jax.tree_util.tree_leaves(value, is_leaf=is_twin))):
            raise DraftError(
                f"{self.place(name)} was consumed after its draft was made, by a "
                "call that donates it: make the draft of what that call returned"
            )

    def require_unchanged(self, name: str) -> None:
        """Refuse a change to a copy that was given out, for it would be lost."""
        cell = self.cells[name]
        if cell.given is None or cell.given[0] is not cell.value:
            return
        if not is_copy(cell.given[1], cell.value):
            is_list = type(cell.value) is list
            remedy = f"[*draft.{name}, x]" if is_list else f"{{**draft.{name}, key: x}}"
            raise DraftError(
                f"{self.place(name)} was changed in place, but what is read of it is a "
                f"copy: assign the whole of it, as `draft.{name} = {remedy}`; to "
                f"change a copy alone, take `{type(cell.value).__name__}(draft.{name})`"
            )


def is_twin(value: object) -> bool:
    """Tell whether something is a draft."""
    return isinstance(value, Twin)


def _is_deleted(value: Any) -> bool:
    concrete = isinstance(value, jax.Array) and not isinstance(value, Tracer)
    return concrete and bool(value.is_deleted())


# --- from objects to nodes


def draft_class(kind: type[Any]) -> Any:
    """Return the draft of a generated class; None where there is none."""
    found = getattr(kind, "Draft", None)
    known = isinstance(found, type) and issubclass(found, Twin)
    return found if known and hasattr(kind, "__codegen_record__") else None


def open_draft(draft: Twin, obj: Any) -> None:
    """Make a draft that of an object, in the trace that is active now."""
    session = Session(trace_state())
    _fill(draft, obj, session)
    session.root = draft
    relink(session)


def load(value: Any, session: Session) -> Any:
    """Put a nested draft in the place of each generated object with arrays."""
    kind = type(value)
    cls = draft_class(kind)
    if cls is not None:
        draft: Twin = object.__new__(cls)
        _fill(draft, value, session)
        return draft
    if kind is tuple or kind is list:
        return kind(load(item, session) for item in value)
    if kind is dict:
        return {key: load(item, session) for key, item in value.items()}
    return value


def _fill(draft: Any, obj: Any, session: Session) -> None:
    cls = type(draft)
    cls.__codegen_known__()
    names: tuple[str, ...] = type(obj).__codegen_record__.data_fields
    cells = {
        name: Cell(getattr(cls, name).load(getattr(obj, name), session))
        for name in names
    }
    node = Node(obj.__codegen_key__, cells, session)
    object.__setattr__(draft, "__codegen_node__", node)
    session.rows += [Row(node, paths) for paths in cls.__codegen_shares__]


# --- from nodes to objects


def require_sound(draft: Twin) -> None:
    """Refuse a draft of which an array was consumed, or a change would be lost."""
    for node in nodes(draft):
        for name in node.cells:
            node.require_unchanged(name)
            node.require_alive(name)


def unload(value: T, memo: dict[int, Any] | None = None) -> T:
    """Put an object in the place of each nested draft; a shared one stays one."""
    held: Any = value
    memo = {} if memo is None else memo
    if isinstance(held, Twin):
        node = held.__codegen_node__
        if id(node) not in memo:
            record = node.key.cls.__codegen_record__
            children = tuple(
                unload(node.cells[name].value, memo) for name in record.data_fields
            )
            memo[id(node)] = record.unflatten(node.key, children)
        held = memo[id(node)]
    elif type(held) is tuple or type(held) is list:
        held = type(held)(unload(item, memo) for item in held)
    elif type(held) is dict:
        held = {key: unload(item, memo) for key, item in held.items()}
    result: T = held
    return result


# --- objects into nodes that exist


def merge(held: Any, value: Any, session: Session) -> Any:
    """Load a value in place where a nested draft of its class is, anew elsewhere."""
    kind: Any = type(value)
    if isinstance(held, Twin):
        if draft_class(kind) is not type(held):
            return load(value, session)
        update(held, value)
        return held
    if kind is type(held) and kind in (tuple, list):
        merged = [merge(*pair, session) for pair in zip(held, value, strict=False)]
        rest = [load(item, session) for item in value[len(held) :]]
        return kind([*merged, *rest])
    if kind is dict and type(held) is dict:
        return {key: merge(held.get(key), item, session) for key, item in value.items()}
    return load(value, session)


def update(draft: Any, obj: Any) -> None:
    """Take over the fields of an object of the draft's class."""
    node: Node = draft.__codegen_node__
    node.key = obj.__codegen_key__
    for name, cell in node.cells.items():
        field = getattr(type(draft), name)
        cell.value = field.merge(cell.value, getattr(obj, name), node.session)


def restore(draft: Any, obj: Any) -> None:
    """Take over what a transformation has made of a draft's object."""
    session = draft.__codegen_node__.session
    before = list(nodes(draft))
    update(draft, obj)
    relink(session)
    detach(before, session)


def assign(node: Node, name: str, value: Any) -> None:
    """Load a value into a field, and what it shares with other paths into these.

    Raises:
        ValueError: where it holds different parts at shared paths
    """
    session, cell = node.session, node.cells[name]
    before, old = list(nodes(cell.value)), unload(cell.value)
    cell.value = merge(cell.value, value, session)
    relink(session)
    if session.rows and not _same_leaves(unload(node.cells[name].value), value):
        node.cells[name].value = merge(node.cells[name].value, old, session)
        relink(session)
        paths = [" and ".join(map(".".join, row.paths)) for row in session.rows]
        raise ValueError(
            f"{node.place(name)} was given different parts at paths that are declared "
            f"as shared ({'; '.join(paths)}): give the same one to all of them"
        )
    detach(before, session)


def _same_leaves(one: Any, other: Any) -> bool:
    ours, theirs = jax.tree_util.tree_leaves(one), jax.tree_util.tree_leaves(other)
    return len(ours) == len(theirs) and all(map(operator.is_, ours, theirs))


def detach(before: list[Node], session: Session) -> None:
    """End the drafts whose objects were replaced, for writing to them would be lost."""
    kept = set(map(id, nodes(session.root)))
    gone = Session(
        session.trace, ended="ended when another object was put in its place"
    )
    for node in before:
        if id(node) not in kept:
            node.session = gone


# --- shared cells


def nodes(value: Any) -> Iterator[Node]:
    """Walk over a draft and those nested in it, or over those in a container."""
    if isinstance(value, Twin):
        node = value.__codegen_node__
        yield node
        for cell in node.cells.values():
            yield from nodes(cell.value)
    elif type(value) is tuple or type(value) is list:
        for item in value:
            yield from nodes(item)
    elif type(value) is dict:
        for item in value.values():
            yield from nodes(item)


def relink(session: Session) -> None:
    """Make each shared part one cell again; of several, the new one's value counts."""
    while session.rows:  # Of two that become one, other rows may lead into either.
        live = set(map(id, nodes(session.root)))
        session.rows = [row for row in session.rows if id(row.node) in live]
        for row, path in [(each, path) for each in session.rows for path in each.paths]:
            cell = _cell_at(row.node, path)
            if row.cell is None:
                row.cell = cell
            elif cell is not None and cell is not row.cell:
                row.cell.value = merge(row.cell.value, unload(cell.value), session)
                _redirect(session, cell, row.cell)
                break
        else:
            break


def _cell_at(node: Node, path: Path) -> Cell | None:
    """Return the cell at a path; None where the path ends before."""
    for name in path[:-1]:
        cell = node.cells.get(name)
        if cell is None or not isinstance(cell.value, Twin):
            return None
        node = cell.value.__codegen_node__
    return node.cells.get(path[-1])


def _redirect(session: Session, old: Cell, new: Cell) -> None:
    """Put a cell in the place of another wherever that is."""
    for node in list(nodes(session.root)):
        for name, cell in node.cells.items():
            if cell is old:
                node.cells[name] = new
    for row in session.rows:
        if row.cell is old:
            row.cell = new
