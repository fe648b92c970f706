# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Declared sharing: one object at several paths, and one set of leaves in the tree.

    share(embed, encoder.embed)     # in the schema; the first path owns

    flatten     hollow(obj, (embed, encoder))    # in the encoder, a hole for the borrower
    unflatten   relink(obj)                      # the hole is filled

So a gradient, an optimiser's moment or a checkpoint has the shared part once, named by its
owner's path, under plain `jax.jit`, `grad` and all the others.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Final

import jax
import numpy as np

from ..classes import registration
from ..classes.registration import Record
from ..keys.interning import TraceKey
from ..split import split
from .plans import HOLE, Holes, Path, get, plan_of

_ARRAYS: Final = (jax.Array, np.ndarray, jax.ShapeDtypeStruct)
_set: Final = object.__setattr__


def split_borrower(
    value: Any, whole: Any, donated: list[Any], kept: list[Any]
) -> Hashable:
    """Split what has holes, unless it is whole: in the places of arrays they are no leaves."""
    if value is whole:
        return split(value, donated, kept)
    starts = len(donated), len(kept)
    structure = split(value, donated, kept)
    for leaves, start in zip((donated, kept), starts, strict=True):
        leaves[start:] = [leaf for leaf in leaves[start:] if leaf is not HOLE]
    return structure


def hollow(obj: Any, children: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the children of an object with holes where parts are borrowed.

    What is neither the part nor anything like it, such as the name of a leaf, stays: it
    was put there on purpose.
    """
    plan = plan_of(obj)
    parts: list[Any] = []
    for path in plan.owners:
        parts.append(getattr(obj, path[0]) if len(path) == 1 else get(obj, path))
    made = [*children]
    for number, owner in plan.borrowed:
        if _is_borrowed(made[number], parts[owner]):
            made[number] = HOLE
    for number, holes in plan.hollow:
        made[number] = _hollowed(made[number], holes, parts)
    return tuple(made)


def _hollowed(value: Any, holes: Holes, parts: Sequence[Any]) -> Any:
    """Return a copy of what a field holds, with holes; itself where it needs none."""
    kind = type(value)
    slots = holes.by_class.get(kind)
    if slots is None:
        slots = holes.slots(kind)
    if not slots:
        return value
    copy = object.__new__(kind)
    is_changed = False
    for put, take, below in slots:
        item = take(value)
        if below is None:
            pass
        elif type(below) is Holes:
            made = _hollowed(item, below, parts)
            is_changed |= made is not item
            item = made
        elif item is not HOLE and _is_borrowed(item, parts[below]):
            is_changed = True
            item = HOLE
        put(copy, item)
    return copy if is_changed else value


def _is_borrowed(value: Any, part: Any) -> bool:
    """Tell whether a hole takes the place of a value."""
    # Below a hole it is owned further out, and the holes are there.
    return part is not HOLE and (value is part or _is_part(value))


def _copy(value: Any) -> Any:
    """Copy a frozen object, for other values in some of its fields."""
    kind: Any = type(value)
    copy = object.__new__(kind)
    for _, put, take in kind.__codegen_record__.slots:
        put(copy, take(value))
    return copy


def relink(obj: Any) -> None:
    """Put shared parts at every path of an object that nobody has seen yet."""
    before: Path = ()
    part: Any = None
    for path, owner in plan_of(obj).holes:
        if owner is not before:
            before, part = owner, get(obj, owner)
        if part is not HOLE:
            _place(obj, path, part)


def unflatten(key: TraceKey, children: tuple[Any, ...]) -> Any:
    """Make an object of a class that has a base, and fill its holes."""
    obj = registration.unflatten(key, children)
    relink(obj)
    return obj


def _place(obj: Any, path: Path, part: Any) -> None:
    """Put a part at a path of a new object.

    What is below it is frozen, so it is copied. But what has a hole is a copy that was made
    for the hole's sake, and nobody has seen it: it is filled.
    """
    last = path[-1]
    holder = getattr(obj, path[0]) if len(path) == 2 else get(obj, path[:-1])
    old = getattr(holder, last, part)
    if old is HOLE:
        _set(holder, last, part)
    elif old is not part and _is_part(old):
        _set(obj, path[0], _with(getattr(obj, path[0]), path[1:], part))


def _with(value: Any, path: Path, part: Any) -> Any:
    """Return a copy of an object with a part at a path."""
    if not path:
        return part
    copy = _copy(value)
    _set(copy, path[0], _with(getattr(value, path[0]), path[1:], part))
    return copy


def _is_part(value: Any) -> bool:
    """Tell whether a value may be what is shared, rather than stand in its place."""
    kind = type(value)
    return hasattr(kind, "__codegen_record__") or isinstance(value, _ARRAYS)


def rebind(obj: Any, /, **fields: Any) -> dict[str, Any]:
    """Return what fields become where parts that an object shares are replaced.

    What the rows of the object's class lead to, its constructor judges.

    Args:
        obj: the object as it was
        fields: the values of all fields that its class's rows lead through; one that
            the object does not have was given, and stays
    """
    given = {name for name, value in fields.items() if value is not getattr(obj, name)}
    if not given:
        return fields
    changed = set(given)
    record: Record = type(obj).__codegen_record__
    judged = {path for row in record.shares for path in row}
    new = _copy(obj)
    for name, value in fields.items():
        _set(new, name, value)
    for path, owner in plan_of(new).holes:
        if owner[0] in changed and path[0] not in given:
            _place(new, path, get(new, owner))
            changed.add(path[0])
        elif path not in judged:
            # By a row of a class that holds the part at another path.
            require_shared(new, owner, path)
    return {name: getattr(new, name) for name in fields}


def require_shared(obj: Any, owner: Path, *borrowers: Path) -> None:
    """Refuse an object that has different parts at paths declared as shared.

    Raises:
        ValueError: with both paths
    """
    part = get(obj, owner)
    for path in borrowers:
        if get(obj, path) is not part:
            name = type(obj).__qualname__
            raise ValueError(
                f"`{name}.{'.'.join(owner)}` and `{name}.{'.'.join(path)}` are declared "
                "as shared, but were given two different objects: pass the same one to "
                f"both, or use `replace({owner[0]}=...)`, which rebinds every path"
            )
