# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Which fields of a draft may not be written, and why, as marks that a lift passes on.

    marks_of(draft)         # ((("part", "b"), "it has no axis ..."),)
    mark(inner, marks)      # the draft that a nested function gets is marked as well

A mark is the path of a cell and the reason; the empty path stands for the whole draft.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import jax

from .state import Cell, Twin

# Of fields, items and keys.
Place: TypeAlias = tuple[Any, ...]
# They choose the function that JAX traces, so they are hashed.
Marks: TypeAlias = tuple[tuple[Place, str], ...]

_NO_AXIS: Final = (
    "has no axis in the `in_axes` of `lift.vmap`: all elements share it, so give it an "
    "axis (a key: split it into one an element)"
)


def marks_of(draft: Twin) -> Marks:
    """Return the marks of a draft, at the paths below it."""
    session = draft.__codegen_node__.session
    whole: Marks = (((), session.fixed),) if session.fixed else ()
    if not session.marked:
        return whole
    found = ((path, cell.fixed) for path, cell in _cells(draft, ()) if cell.fixed)
    return (*whole, *found)


def mark(draft: Twin, marks: Marks) -> None:
    """Let nobody write what was marked in the draft that this one stands for."""
    if not marks:
        return
    session, reasons = draft.__codegen_node__.session, dict(marks)
    session.fixed, session.marked = reasons.get((), ""), True
    for path, cell in _cells(draft, ()):
        cell.fixed = reasons.get(path, "")


def mark_unmapped(draft: Twin, unmapped: Any) -> None:
    """Let nobody write an array without an axis, which is True in the draft's object."""
    draft.__codegen_node__.session.marked = True
    _mark(draft, unmapped)


def _mark(value: Any, unmapped: Any) -> bool:
    """Mark the cells in a value; tell whether an array outside of them has no axis."""
    if isinstance(value, Twin):
        for name, cell in value.__codegen_node__.cells.items():
            if _mark(cell.value, getattr(unmapped, name)):
                several = isinstance(cell.value, tuple | list | dict)
                cell.fixed = f"{'an array in it' if several else 'it'} {_NO_AXIS}"
        return False
    if type(value) is tuple or type(value) is list:
        found = [_mark(*pair) for pair in zip(value, unmapped, strict=True)]
    elif type(value) is dict:
        found = [_mark(item, unmapped[key]) for key, item in value.items()]
    else:
        found = jax.tree_util.tree_leaves(unmapped)
    return any(found)


def _cells(value: Any, path: Place) -> Iterator[tuple[Place, Cell]]:
    """Walk over the cells of a draft and of those nested in it, each with its path."""
    if isinstance(value, Twin):
        for name, cell in value.__codegen_node__.cells.items():
            yield (*path, name), cell
            yield from _cells(cell.value, (*path, name))
    elif type(value) is tuple or type(value) is list:
        for i, item in enumerate(value):
            yield from _cells(item, (*path, i))
    elif type(value) is dict:
        for key, item in value.items():
            yield from _cells(item, (*path, key))
