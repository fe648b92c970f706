"""The state of drafts: a cell for each field, and the one trace to which they belong.

    Node of a Plate.Draft:  cells  u -> Cell(array), first -> Cell(a Linear.Draft)
                            session   one for the draft and all nested drafts in it

An object is loaded, changed in cells, and unloaded. An object that replaces a draft of
the same class is loaded into that draft's cells, so every reference to the draft sees
the new object. A part that is declared as shared is one cell of several nodes.

`read_only_reasons` and `make_read_only` let a lift pass on which fields may not be written, and why.
"""

import dataclasses
import operator
from collections.abc import Iterator
from typing import Any, Final, Protocol, TypeAlias

import jax
from jax.core import Tracer
from jax.tree_util import GetAttrKey, tree_leaves_with_path, tree_map_with_path

from ..classes.registration import Record
from ..declared import CONTAINERS
from ..internals import trace_state
from ..keys.interning import TraceKey
from ..keys.messages import format_shape
from ..keys.names import Generated

# A JAX path of fields, items and keys.
Place: TypeAlias = tuple[Any, ...]
# Places that may not be written, and why; the place () means all. They select the
# function that JAX traces, so they are hashed.
Reasons: TypeAlias = tuple[tuple[Place, str], ...]

# The name of this package, which includes `lift`.
PACKAGE: Final = __name__.rpartition(".drafts.")[0]


class DraftError(RuntimeError):
    """A draft was used in a place or in a way that is not allowed."""


class AnyDraft(Protocol):
    """A draft of this package or of another one."""

    @property
    def __codegen_node__(self) -> "DraftNode": ...


@dataclasses.dataclass(eq=False, slots=True)
class Cell:
    """The cell of one field, or of a shared value."""

    value: Any
    # Why it may not be written; empty if it may.
    read_only: str = ""
    # The list or dict that was its value, and the copy that a read returned.
    given: tuple[Any, Any] = (None, None)


@dataclasses.dataclass(eq=False, slots=True)
class Session:
    """The state that a draft shares with the drafts nested in it."""

    trace: object
    root: AnyDraft | None = None
    # Why none of them can be used, as the end of an error. Example: ", but the draft
    # ended"
    refusal: str = ""


@dataclasses.dataclass(eq=False, slots=True)
class DraftNode:
    """The state of one draft."""

    key: TraceKey
    cells: dict[str, Cell]
    session: Session
    # Whether another object was loaded into it since its field was last read.
    is_replaced: bool = False

    @property
    def record(self) -> Record:
        return self.key.cls.__codegen_record__

    def place(self, name: str) -> str:
        """Format a field for an error; an empty name means the draft."""
        cls = self.key.cls.__qualname__
        return f"`{cls}.{name}`" if name else f"a draft of `{cls}`"

    def require(self, name: str, done: str) -> None:
        """Refuse an operation on a field in the wrong trace, or too late."""
        refusal = self.session.refusal
        if not refusal and self.session.trace == trace_state():
            return
        refusal = refusal or (
            " in another trace than the one that the draft was created in or passed "
            "to. Pass the draft to the transformation, as in `lift.jit(f)(draft)`, "
            f"`lift.scan`, `lift.cond`, ... (`from {PACKAGE} import lift`), or read "
            "the value into a local variable first. To leave a trace, return "
            "`draft.freeze()`"
        )
        raise DraftError(f"{self.place(name)} was {done}{refusal}")

    def require_writable(self, name: str) -> None:
        """Refuse to write a field that cannot be written."""
        self.require(name, "written")
        cell = self.cells[name]
        reasons = (each.read_only for each in (cell, *_cells(cell.value).values()))
        if why := next(filter(None, reasons), ""):
            raise DraftError(f"{self.place(name)} was written, but {why}")

    def read(self, name: str) -> Any:
        """Return the value of a field; a container is copied until the field is
        written.

        Refuse a consumed value, and a copy that was changed, since the change would be
        lost.
        """
        self.require(name, "read")
        cell = self.cells[name]
        for leaf in jax.tree_util.tree_leaves(cell.value, is_leaf=is_draft):
            is_concrete = isinstance(leaf, jax.Array) and not isinstance(leaf, Tracer)
            if is_concrete and leaf.is_deleted():
                raise DraftError(
                    f"{self.place(name)} was consumed by a call after its draft was "
                    "created: create the draft from the result of that call"
                )
        if not isinstance(cell.value, CONTAINERS):
            return cell.value
        leaves, treedef = _content(cell.value)
        if cell.given[0] is not cell.value:
            cell.given = cell.value, jax.tree_util.tree_unflatten(treedef, leaves)
        found, its = _content(cell.given[1])
        if treedef != its or not all(map(operator.is_, leaves, found)):
            raise DraftError(
                f"{self.place(name)} is a copy, so a change in place is lost: assign a new "
                f"value, for example `draft.{name} = [*draft.{name}, x]`"
            )
        return cell.given[1]


def is_draft(value: object) -> bool:
    """Return whether a value is a draft, of this package or of another one."""
    return hasattr(type(value), "__codegen_node__")


def _is_item(value: object) -> bool:
    """Return whether a value is not searched for objects with arrays."""
    return type(value) not in CONTAINERS


def _content(value: object) -> Any:
    """Return the leaves and structure that a copy has in common with its original."""
    return jax.tree_util.tree_flatten(
        value, is_leaf=lambda item: not isinstance(item, CONTAINERS)
    )


def iter_drafts(value: Any, place: Place = ()) -> Iterator[tuple[Place, DraftNode]]:
    """Walk over a draft and its nested drafts, or over the drafts in a container."""
    if is_draft(value):
        node: DraftNode = value.__codegen_node__
        yield place, node
        for name, cell in node.cells.items():
            yield from iter_drafts(cell.value, (*place, GetAttrKey(name)))
    elif type(value) in CONTAINERS:
        for path, item in tree_leaves_with_path(value, is_leaf=_is_item):
            yield from iter_drafts(item, (*place, *path))


def _nodes(value: object) -> list[DraftNode]:
    return [node for _, node in iter_drafts(value)]


def _cells(value: object) -> dict[Place, Cell]:
    return {
        (*place, GetAttrKey(name)): cell
        for place, node in iter_drafts(value)
        for name, cell in node.cells.items()
    }


# --- read-only fields


def read_only_reasons(draft: AnyDraft) -> Reasons:
    """Return the places below a draft that may not be written, and why."""
    cells = _cells(draft).items()
    return tuple((place, cell.read_only) for place, cell in cells if cell.read_only)


def make_read_only(draft: AnyDraft, reasons: Reasons) -> None:
    """Make some places below a draft read-only, and the field that contains each."""
    cells = _cells(draft)
    for place, reason in reasons:
        # An array in a container has no cell of its own.
        while place and place not in cells:
            place = place[:-1]  # noqa: PLW2901
        for cell in [cells[place]] if place else cells.values():
            cell.read_only = reason


def unmapped_fields(obj: object, axes: object) -> Reasons:
    """Return the fields without an axis under `vmap`, which may not be written.

    Refuse an axis that an array does not have.
    """
    reason = (
        "the `in_axes` of `lift.vmap` has no axis for all or part of it, so all "
        "elements share this value: give it an axis, for example by splitting a key"
    )
    treedef: Any = jax.tree_util.tree_structure(obj)
    full = jax.tree.broadcast(axes, obj, is_leaf=lambda axis: axis is None)
    spread = zip(tree_leaves_with_path(obj), treedef.flatten_up_to(full), strict=True)
    reasons: list[tuple[Place, str]] = []
    for (path, leaf), axis in spread:
        rank = len(getattr(leaf, "shape", ()))
        if axis is None:
            reasons.append((path, reason))
        elif isinstance(axis, int) and not -rank <= axis < rank:
            place = f"`{type(obj).__qualname__}{jax.tree_util.keystr(path)}`"
            raise DraftError(
                f"{place} is {format_shape(leaf)}, and has no axis {axis} for "
                "`lift.vmap`: pass the axis of each field in `in_axes`, for example "
                '`(obj.axes("n"), ...)`'
            )
    return tuple(reasons)


# --- from objects to drafts and back


def connect(draft: AnyDraft, obj: object) -> None:
    """Connect a draft to an object, in the trace that is active now."""
    session = Session(trace_state(), draft)
    _fill(draft, obj, session)
    _merge_shared(session, [])


def load(held: object, value: object, session: Session) -> object:
    """Return a value in which a nested draft replaces each object with arrays.

    The drafts of the replaced value `held` are kept if their class is the same.
    """
    kind = type(value)
    if kind in CONTAINERS:
        old = dict(tree_leaves_with_path(held, is_leaf=_is_item))
        return tree_map_with_path(
            lambda at, item: load(old.get(at), item, session), value, is_leaf=_is_item
        )
    cls: Any = getattr(kind, "Draft", None)
    if not issubclass(kind, Generated) or not hasattr(cls, "__codegen_node__"):
        return value
    if type(held) is cls:
        _update(held, value)
        return held
    draft = object.__new__(cls)
    _fill(draft, value, session)
    return draft


def _fill(draft: object, obj: Any, session: Session) -> None:
    names = type(obj).__codegen_record__.data_fields
    node = DraftNode(obj.__codegen_key__, {name: Cell(None) for name in names}, session)
    object.__setattr__(draft, "__codegen_node__", node)
    _update(draft, obj)


def _update(draft: Any, obj: Any) -> None:
    """Copy the fields of an object of the draft's class into the draft."""
    node: DraftNode = draft.__codegen_node__
    node.key = obj.__codegen_key__
    for name, cell in node.cells.items():
        field = getattr(type(draft), name)
        cell.value = field.load(cell.value, getattr(obj, name), node.session)


def _to_object(value: Any) -> object:
    """Replace each nested draft by its object."""
    if type(value) in CONTAINERS:
        return jax.tree_util.tree_map(_to_object, value, is_leaf=_is_item)
    return _object(value.__codegen_node__) if is_draft(value) else value


def _object(node: DraftNode) -> object:
    children = (_to_object(node.cells[name].value) for name in node.record.data_fields)
    return node.record.unflatten(node.key, tuple(children))


def current_object(draft: AnyDraft, done: str = "read") -> object:
    """Return the current object of a draft, if the operation `done` is allowed."""
    draft.__codegen_node__.require("", done)
    for node in _nodes(draft):
        for name in node.cells:
            node.read(name)
    return _to_object(draft)


def assigned_object(draft: AnyDraft) -> object:
    """Return the object of a draft that is assigned to a field.

    Refuse a draft that got another object since it was read. In `d.a, d.b = d.b, d.a`,
    the first assignment loads `b` into the draft of `a`, so the second would assign `b`
    to itself.
    """
    node = draft.__codegen_node__
    node.require("", "read")
    if node.is_replaced:
        raise DraftError(
            f"{node.place('')} was assigned, but its own field was assigned after this "
            "draft was read, so it has the new values: read the field again for the new "
            "values, or freeze the old ones before, as in `draft.a, draft.b = "
            "draft.b.freeze(), draft.a.freeze()`"
        )
    return current_object(draft)


def mark_read(value: object) -> None:
    """Note that a field with nested drafts was read."""
    for item in jax.tree_util.tree_leaves(value, is_leaf=_is_item):
        if is_draft(item):
            item.__codegen_node__.is_replaced = False


def mark_replaced(value: object) -> None:
    """Note that other objects were loaded into the drafts of a field."""
    for node in _nodes(value):
        node.is_replaced = True


def write_back(draft: AnyDraft, obj: object) -> None:
    """Copy the result of a transformation of a draft's object into the draft."""
    session: Session = draft.__codegen_node__.session
    before = _nodes(session.root)
    _update(draft, obj)
    _merge_shared(session, before)


def assign(node: DraftNode, name: str, value: object) -> None:
    """Load a value into a field, and update the other paths that share parts of it.

    Refuse a value with different parts at shared paths.
    """
    session, cell = node.session, node.cells[name]
    before, old = _nodes(session.root), _to_object(cell.value)
    cell.value = load(cell.value, value, session)
    _merge_shared(session, before)
    shares = [row for each in _nodes(session.root) for row in each.record.shares]
    # The field may have another cell by now.
    loaded = jax.tree_util.tree_leaves(_to_object(node.cells[name].value))
    assigned = jax.tree_util.tree_leaves(value)
    if shares and [*map(id, loaded)] != [*map(id, assigned)]:
        assign(node, name, old)
        rows = dict.fromkeys(" and ".join(map(".".join, row)) for row in shares)
        raise ValueError(
            f"{node.place(name)} was assigned different parts at paths that are "
            f"declared as shared ({'; '.join(rows)}): assign the same part to all of "
            "them"
        )


def _merge_shared(session: Session, before: list[DraftNode]) -> None:
    """Make each shared part one cell again, and end the drafts that were replaced.

    Of the cells of a shared part, a new one wins: one that no node in `before` has.
    """
    known = {cell for node in before for cell in node.cells.values()}
    while _merge_cells(session.root, known):
        pass
    remaining = {*_nodes(session.root)}
    # Writes to them would be lost.
    why = ", but this draft ended when another object replaced it"
    gone = Session(None, refusal=why)
    for node in before:
        if node not in remaining:
            node.session = gone


def _merge_cells(root: AnyDraft | None, known: set[Cell]) -> bool:
    """Merge two cells that are declared as shared; return whether there were any."""
    nodes, cells = dict(iter_drafts(root)), _cells(root)
    # Parts first. A new value may be of another class, which also has shared parts.
    for start, node in reversed(nodes.items()):
        holes = node.record.holes(_object(node)) if node.record.shares else ()
        for path, owner in holes:
            places = ((*start, *map(GetAttrKey, names)) for names in (owner, path))
            target, new = map(cells.get, places)
            if target is None or new is None or target is new:
                continue
            if target not in known and new in known:
                target, new = new, target
            if new not in known:
                target.value = load(target.value, _to_object(new.value), node.session)
            for each in nodes.values():
                for name, cell in each.cells.items():
                    each.cells[name] = target if cell is new else cell
            return True
    return False
