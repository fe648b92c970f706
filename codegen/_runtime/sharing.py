# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Declared sharing: one object at several paths, and one set of leaves in the tree.

    share(embed, encoder.embed)     # in the schema; the first path owns

    flatten     (embed, unlink(encoder, embed, "embed"))    # a hole for the borrower
    unflatten   encoder = link(encoder, embed, "embed")

So a gradient, an optimiser's moment or a checkpoint has the shared part once, named by its
owner's path, under plain `jax.jit`, `grad` and all the others.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Final, TypeVar, cast

import jax
import numpy as np

from .split import split

T = TypeVar("T")

_ARRAYS: Final = (jax.Array, np.ndarray, jax.ShapeDtypeStruct)
_set: Final = object.__setattr__


class Hole(tuple[()]):
    """What a borrower leaves in the flattened tree: a node of its own kind, not `None`.

    A tuple, so that libraries which look at empty nodes, as orbax does, know its like.
    """

    __slots__ = ()

    # How another copy of this package knows it.
    __codegen_hole__: Final = True

    def __repr__(self) -> str:
        return "HOLE"

    def __reduce__(self) -> str:
        return "HOLE"


HOLE: Final = Hole()


def _flatten(hole: Hole) -> tuple[tuple[()], None]:
    return (), None


def _unflatten(aux_data: None, children: object) -> Hole:
    return HOLE


jax.tree_util.register_pytree_node(Hole, _flatten, _unflatten)


def split_borrower(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    """Split what borrows: its holes, in the places of arrays, are no leaves."""
    starts = len(donated), len(kept)
    structure = split(value, donated, kept)
    for leaves, start in zip((donated, kept), starts, strict=True):
        leaves[start:] = [leaf for leaf in leaves[start:] if leaf is not HOLE]
    return structure


def get(value: Any, *path: str) -> Any:
    """Return what lies at a path of attributes; None where the path ends before."""
    for name in path:
        value = getattr(value, name, None)
    return value


def unlink(value: Any, part: Any, *path: str) -> Any:
    """Return a copy of an object with a hole where a part is borrowed.

    What is neither the part nor anything like it, such as the name of a leaf, stays: it
    was put there on purpose.
    """
    if not path:
        return HOLE if value is part or part is HOLE or _is_part(value) else value
    kind: Any = type(value)
    try:
        record = kind.__codegen_record__
    except AttributeError:
        return value
    if record.shares:
        path = _owned(record, path)
    name = path[0]
    copy = object.__new__(kind)
    for field, put, take in record.slots:
        item = take(value)
        if field == name:
            known = item is part and len(path) == 1
            item = HOLE if known else unlink(item, part, *path[1:])
        put(copy, item)
    return copy


def link(value: T, part: Any, *path: str) -> T:
    """Return an object with a part at a path, and wherever its class shares it.

    The object is frozen, so this is a copy. But what has a hole is a copy that was made
    for the hole's sake, and nobody has seen it: it is filled.
    """
    if not path:
        return cast("T", part)
    kind = type(value)
    record: Any = getattr(kind, "__codegen_record__", None)
    if record is None:
        return value
    name, *below = _owned(record, path) if record.shares else path
    old = getattr(value, name)
    new = _placed(old, part, below)
    if new is old:
        pass
    elif old is HOLE:
        _set(value, name, new)
    else:
        copy = object.__new__(kind)
        for field, put, take in record.slots:
            put(copy, new if field == name else take(value))
        value = copy
    for row in record.shares:
        relink(value, *row)
    return value


def relink(obj: Any, owner: tuple[str, ...], *borrowers: tuple[str, ...]) -> None:
    """Put a shared part at every path of an object that nobody has seen yet."""
    part = obj
    for name in owner:
        part = getattr(part, name, None)
    for path in borrowers:
        field = path[0]
        old = getattr(obj, field)
        if _is_simple(old, path):
            # As below, for what there is most of, and in half the time.
            _set(old, path[1], part)
            continue
        new = _placed(old, part, path[1:])
        if new is not old:
            _set(obj, field, new)


def _is_simple(holder: Any, path: tuple[str, ...]) -> bool:
    """Tell whether an object has a hole at the end of a path, and shares nothing."""
    if len(path) != 2 or getattr(holder, path[1], None) is not HOLE:
        return False
    return not type(holder).__codegen_record__.shares


def _placed(old: Any, part: Any, below: Sequence[str]) -> Any:
    """Return what takes the place of a borrowed part, or of what it is below."""
    if below:
        return link(old, part, *below)
    return part if old is HOLE or _is_part(old) else old


def _is_part(value: Any) -> bool:
    """Tell whether a value may be what is shared, rather than stand in its place."""
    kind = type(value)
    return hasattr(kind, "__codegen_record__") or isinstance(value, _ARRAYS)


def _owned(record: Any, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path by which the class itself owns what is at a path."""
    for owner, *borrowers in record.shares:
        for borrower in borrowers:
            if path[: len(borrower)] == borrower:
                return _owned(record, (*owner, *path[len(borrower) :]))
    return path


def require_shared(
    obj: Any, owner: tuple[str, ...], *borrowers: tuple[str, ...]
) -> None:
    """Refuse an object that has different parts at paths declared as shared.

    Raises:
        ValueError: with both paths
    """
    part = get(obj, *owner)
    for path in borrowers:
        if get(obj, *path) is not part:
            name = type(obj).__qualname__
            raise ValueError(
                f"`{name}.{'.'.join(owner)}` and `{name}.{'.'.join(path)}` are declared "
                "as shared, but were given two different objects: pass the same one to "
                f"both, or use `replace({owner[0]}=...)`, which rebinds every path"
            )
