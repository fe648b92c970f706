# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
"""Which call consumed an array that was an argument itself.

    new = add(x)            # x: donated[f32]
    add(x)                  # ConsumedError: `x` of `add` was consumed by `add` at ...

There is no field to put a marker in, and JAX alone knows nothing of the call. So the
marker is kept here for as long as the array object is about, and speaks when the array
comes to a function of this package.
"""

import weakref
from collections.abc import Sequence
from typing import Any, Final

import jax

from .consumed import Consumed, ConsumedError, spent_error


class _Note(weakref.ref[Any]):
    """A weak reference to an array, with the marker that it has no field for."""

    __slots__ = ("marker", "number")

    marker: Consumed
    number: int


# By the ids of arrays that are alive.
_notes: Final[dict[int, _Note]] = {}


def note_spent(array: jax.Array, marker: Consumed) -> None:
    """Remember which call consumed an array."""
    note = _Note(array, _forget)
    note.marker = marker
    note.number = id(array)
    _notes[note.number] = note


def forget_spent(array: jax.Array) -> None:
    """Forget it again: the call has failed."""
    _notes.pop(id(array), None)


def spent_marker(array: Any) -> Consumed | None:
    """Return the marker of an array that was consumed as an argument."""
    note = _notes.get(id(array))
    return note.marker if note is not None and note() is array else None


def find_spent(
    leaves: Sequence[Any], paths: Sequence[str], name: str
) -> ConsumedError | None:
    """Return the error for the first deleted array among the leaves of a call."""
    for leaf, path in zip(leaves, paths, strict=True):
        if isinstance(leaf, jax.Array) and leaf.is_deleted():
            return spent_error(spent_marker(leaf), path, name)
    return None


def _forget(note: Any, notes: dict[int, _Note] = _notes) -> None:
    """Forget an array that dies, unless another has its id by now.

    Arrays also die while the interpreter ends, when the names of this module are gone.
    """
    number: int = note.number
    if notes.get(number) is note:
        del notes[number]
