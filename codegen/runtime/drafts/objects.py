# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""From objects to drafts and back: an object is loaded, changed in cells, and unloaded.

    load(held, value, session)  # a draft for each object with arrays, as nested as they
    unload(draft)               # the object that it has become

What is loaded in the place of a draft of the same class goes into that draft's cells, so
that whoever holds it goes on with the new object.
"""

import operator
from typing import Any, TypeVar

import jax

from ..tracing import trace_state
from .state import (
    CONTAINERS,
    AnyDraft,
    Cell,
    Node,
    Session,
    entries,
    is_draft,
    nodes,
    rebuilt,
    require_sound,
)

T = TypeVar("T")


def open_draft(draft: AnyDraft, obj: Any) -> None:
    """Make a draft that of an object, in the trace that is active now."""
    session = Session(trace_state(), draft)
    _fill(draft, obj, session)
    _settle(session, [])


def _draft_class(kind: type[Any]) -> Any:
    """Return the draft of a generated class; None where there is none."""
    found = getattr(kind, "Draft", None)
    is_ours = hasattr(kind, "__codegen_record__")
    return found if is_ours and hasattr(found, "__codegen_node__") else None


def load(held: Any, value: Any, session: Session) -> Any:
    """Return a value with a nested draft in the place of each object with arrays.

    Args:
        held: what the value replaces, whose drafts are kept where their class is the
            same; None: nothing
        value: objects, or containers of them
        session: that of the draft which they become part of
    """
    cls = _draft_class(type(value))
    if cls is not None:
        if type(held) is cls:
            _update(held, value)
            return held
        draft = object.__new__(cls)
        _fill(draft, value, session)
        return draft
    if type(value) not in CONTAINERS:
        return value
    old = dict(entries(held)) if type(held) is type(value) else {}
    items = [load(old.get(key), item, session) for key, item in entries(value)]
    return rebuilt(value, items)


def _fill(draft: Any, obj: Any, session: Session) -> None:
    names = type(obj).__codegen_record__.data_fields
    node = Node(obj.__codegen_key__, {name: Cell(None) for name in names}, session)
    object.__setattr__(draft, "__codegen_node__", node)
    _update(draft, obj)


def _update(draft: Any, obj: Any) -> None:
    """Take over the fields of an object of the draft's class."""
    node: Node = draft.__codegen_node__
    node.key = obj.__codegen_key__
    for name, cell in node.cells.items():
        field = getattr(type(draft), name)
        cell.value = field.load(cell.value, getattr(obj, name), node.session)


def unload(value: T) -> T:
    """Put an object in the place of each nested draft."""
    held: Any = value
    if is_draft(held):
        held = _object(held.__codegen_node__)
    elif type(held) in CONTAINERS:
        held = rebuilt(held, [unload(item) for _, item in entries(held)])
    result: T = held
    return result


def _object(node: Node) -> Any:
    record = _record(node)
    children = (unload(node.cells[name].value) for name in record.data_fields)
    return record.unflatten(node.key, tuple(children))


def object_of(draft: AnyDraft, done: str = "read") -> Any:
    """Return the object of a draft as it is now, where that may be `done` to it."""
    draft.__codegen_node__.require("", done)
    require_sound(draft)
    return unload(draft)


def restore(draft: AnyDraft, obj: Any) -> None:
    """Take over what a transformation has made of a draft's object."""
    session: Session = draft.__codegen_node__.session
    before = list(nodes(session.root))
    _update(draft, obj)
    _settle(session, before)


def assign(node: Node, name: str, value: Any) -> None:
    """Load a value into a field, and what it shares with other paths into these.

    Raises:
        ValueError: where it holds different parts at shared paths
    """
    old = unload(node.cells[name].value)
    _put(node, name, value)
    rows = [row for each in nodes(node.session.root) for row in _record(each).shares]
    if rows and not _same_leaves(unload(node.cells[name].value), value):
        _put(node, name, old)
        paths = dict.fromkeys(" and ".join(map(".".join, row)) for row in rows)
        raise ValueError(
            f"{node.place(name)} was given different parts at paths that are declared "
            f"as shared ({'; '.join(paths)}): give the same one to all of them"
        )


def _put(node: Node, name: str, value: Any) -> None:
    before = list(nodes(node.session.root))
    cell = node.cells[name]
    cell.value = load(cell.value, value, node.session)
    _settle(node.session, before)


def _same_leaves(one: Any, other: Any) -> bool:
    ours, theirs = jax.tree_util.tree_leaves(one), jax.tree_util.tree_leaves(other)
    return len(ours) == len(theirs) and all(map(operator.is_, ours, theirs))


def _settle(session: Session, before: list[Node]) -> None:
    """Make each shared part one cell again, and end the drafts that were replaced.

    Args:
        session: that of the drafts
        before: all that there were; of what is shared, a cell of another one counts
    """
    known = {cell for node in before for cell in node.cells.values()}
    # Parts first. A new value may be of another class, with parts that are shared too.
    while any(_link(node, known) for node in reversed([*nodes(session.root)])):
        pass
    kept = set(map(id, nodes(session.root)))
    # Writing to them would be lost.
    gone = Session(
        session.trace, ended="ended when another object was put in its place"
    )
    for node in before:
        if id(node) not in kept:
            node.session = gone


def _link(node: Node, known: set[Cell]) -> bool:
    """Link what an object's class declares as shared; tell whether some of it was not."""
    if not _record(node).shares:
        return False
    rows: dict[Any, list[Any]] = {}
    for path, owner in _record(node).holes(_object(node)):
        rows.setdefault(owner, [owner]).append(path)
    is_changed = False
    for row in rows.values():
        places = [(held, path[-1]) for path in row if (held := _holder(node, path))]
        cells = list(dict.fromkeys(held.cells[name] for held, name in places))
        cells.sort(key=lambda cell: cell not in known)
        for cell in cells[1:]:
            is_changed = True
            if cell not in known:
                new = unload(cell.value)
                cells[0].value = load(cells[0].value, new, node.session)
        for held, name in places:
            held.cells[name] = cells[0]
    return is_changed


def _holder(node: Node, path: tuple[str, ...]) -> Node | None:
    """Return what holds the part at a path; None where the path ends before."""
    for name in path[:-1]:
        cell = node.cells.get(name)
        if cell is None or not is_draft(cell.value):
            return None
        node = cell.value.__codegen_node__
    return node if path[-1] in node.cells else None


def _record(node: Node) -> Any:
    return node.key.cls.__codegen_record__
