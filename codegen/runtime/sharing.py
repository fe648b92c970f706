"""Declared sharing: one object at several paths, and one set of leaves in the tree.

    share(embed.table, head)        # in Decoder
    share(embed, decoder.embed)     # in Model, which holds a decoder

    model's holes       decoder.embed, owned as embed; decoder.head, owned as embed.table
    flatten             hollow(obj, (embed, decoder))   # the decoder is a copy with holes
    unflatten           relink(obj)                     # which are filled

So a gradient, an optimizer's moment or a checkpoint has the shared part once, under its
owner's path. This works with plain `jax.jit`, `grad` and all other transformations.

Two shared parts also share their parts. So the rows of a class must be combined with
those of the classes that it contains. The classes are those of the actual objects,
which may be of subclasses. A class places all holes in the objects that its paths go
through. If an object already has holes, the class skips the parts that are owned
through one of them: the code that created that hole has created all holes of its part.
"""

import collections
import itertools
from collections.abc import Hashable, Sequence
from graphlib import TopologicalSorter
from typing import Any, Final, TypeAlias, TypeVar

import jax
import numpy as np

from .classes import registration
from .classes.registration import Record, Share
from .keys.conversion import KEEP
from .keys.interning import TraceKey
from .keys.names import Generated, is_generated, is_ref
from .splitting import split

G = TypeVar("G", bound=Generated)
Path: TypeAlias = tuple[str, ...]
# Each hole with the owner's path of its part. Holes in a part come before the hole of
# the part.
Holes: TypeAlias = tuple[tuple[Path, Path], ...]

_ARRAYS: Final = (jax.Array, np.ndarray, jax.ShapeDtypeStruct)
_set: Final = object.__setattr__


class Hole(tuple[()]):
    """The node that replaces a borrowed part in the flattened tree: a distinct node
    type, not `None`.

    It is a tuple, so that libraries that inspect empty nodes, such as orbax, recognise
    it.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "HOLE"

    def __reduce__(self) -> str:
        return "HOLE"


HOLE: Final = Hole()
jax.tree_util.register_pytree_node(Hole, lambda _: ((), None), lambda *_: HOLE)


# --- where an object has holes


def get_at_path(obj: object, path: Sequence[str]) -> object:
    """Return the value at a path: HOLE below a hole, None if the path ends earlier."""
    for name in path:
        if not is_generated(obj):
            return HOLE if obj is HOLE else None
        obj = getattr(obj, name, None)
    return obj


def _holes_of(record: Record, obj: object, /) -> Holes:
    """Return the holes of an object, which depend on its class and its parts' classes."""
    # A plan is the holes, or a dict from the class of the value at a path to the next
    # plan. The path is under None.
    step = record.plans.get(None) if record.shares else ()
    while type(step) is dict:
        path: Path = step[None]
        value = getattr(obj, path[0]) if len(path) == 1 else get_at_path(obj, path)
        step = step.get(type(value))
    return _find_holes(record, obj) if step is None else step


# The records of classes that share get this method here.
Record.holes = _holes_of


def _find_holes(record: Record, obj: object) -> Holes:
    """Find the holes of an object, and record the classes that were looked up."""
    answers, answer = record.plans, None
    # The rows of the objects on the way to shared paths, by the path that owns each
    # object. At other paths there may be a hole.
    rows: dict[Path, Sequence[Share]] = {(): record.shares}
    rules = _alias_rules(rows)
    while unknown := [
        holder
        for path, shares in rows.items()
        for member in itertools.chain(*shares)
        for end in range(1, len(member))
        if (holder := _owner_path((*path, *member[:end]), rules)) not in rows
    ]:
        path = unknown[0]
        answers = answers.setdefault(answer, {None: path})
        answer = type(get_at_path(obj, path))
        nested: Record | None = getattr(answer, "__codegen_record__", None)
        rows[path] = () if nested is None else nested.shares
        if rows[path]:
            rules = _alias_rules(rows)
    holes: Holes = answers.setdefault(answer, _ordered_holes(rules))
    return holes


def _owner_path(path: Path, rules: dict[Path, Path]) -> Path:
    """Return the owner's path of the part at a path."""
    end = 1
    while end <= len(path):
        if path[:end] in rules:
            path, end = (*rules[path[:end]], *path[end:]), 0
        end += 1
    return path


def _alias_rules(rows: dict[Path, Sequence[Share]]) -> dict[Path, Path]:
    """Return rules that replace the beginning of a path, repeatedly, by that of its
    owner.

    Each rule is a hole. No path in a rule begins with another rule's hole. So the
    object that contains a hole is at its owner's path, and no hole is below another
    one.
    """
    rules: dict[Path, Path] = {}
    # The prefixes of the paths of holes and of their owners.
    above: set[Path] = set()

    def unite(owner: Path, borrower: Path) -> None:
        owner, borrower = _owner_path(owner, rules), _owner_path(borrower, rules)
        if owner == borrower:
            return
        size, moved = len(borrower), dict[Path, Path]()
        if borrower in above:
            held = rules.items()
            moved = {h: o for h, o in held if borrower in (h[:size], o[:size])}
        for hole in moved:
            del rules[hole]
        rules[borrower] = owner
        for path in (owner, borrower):
            above.update(path[:end] for end in range(1, len(path)))
        # Parts of the borrower are now in the owner, with the same owner as there.
        for hole, other in moved.items():
            owns = _owner_path(other, rules)[: len(owner)] == owner
            unite(*((other, hole) if owns else (hole, other)))

    # The outermost comes last: its rows decide the owner.
    for path in sorted(rows, key=len, reverse=True):
        for owner, *borrowers in rows[path]:
            for borrower in borrowers:
                unite((*path, *owner), (*path, *borrower))
    return rules


def _ordered_holes(rules: dict[Path, Path]) -> Holes:
    """Return the holes and their owners; those in a part come before those of the part."""
    owners = {path: _owner_path(path, rules) for path in rules}
    inside: dict[Path, list[Path]] = collections.defaultdict(list)
    for path in rules:
        for end in range(1, len(path)):
            inside[path[:end]].append(path)
    order = TopologicalSorter({path: inside[owners[path]] for path in rules})
    return tuple((path, owners[path]) for path in order.static_order())


# --- creating and filling holes, for the functions of generated classes


def hollow(obj: Generated, children: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the children of an object with holes at the places of borrowed parts.

    A child that is neither the part nor a similar one, such as the name of a leaf,
    stays: it was put there on purpose.
    """
    record: Record = type(obj).__codegen_record__
    hollowed = [*children]
    for path, owner in record.holes(obj):
        part = get_at_path(obj, owner)
        # A part below a hole is owned further out, and its holes are there.
        if part is not HOLE:
            head = [*record.data_fields].index(path[0])
            hollowed[head] = _with_part_at(hollowed[head], path[1:], part, HOLE)
    return tuple(hollowed)


def relink(obj: Generated) -> None:
    """Put shared parts at every path of a new object, before any other code sees it."""
    record: Record = type(obj).__codegen_record__
    for path, owner in record.holes(obj):
        part = get_at_path(obj, owner)
        if part is not HOLE:
            _put_at_path(obj, path, part)


def unflatten_shared(key: TraceKey, children: tuple[Any, ...]) -> object:
    """Create an object of a class that has a base, and fill its holes."""
    obj = registration.unflatten(key, children)
    relink(obj)
    return obj


def _put_at_path(obj: object, path: Path, part: object) -> None:
    """Put a part at a path of a new object.

    Objects below it are frozen, so they are copied. An object with a hole is already a
    private copy, which was created for the hole, so it is filled in place.
    """
    holder = get_at_path(obj, path[:-1])
    if getattr(holder, path[-1], None) is HOLE:
        _set(holder, path[-1], part)
    else:
        _set(obj, path[0], _with_part_at(getattr(obj, path[0]), path[1:], part, part))


def _with_part_at(value: object, path: Path, part: object, new: object) -> object:
    """Return a value with a new part at a path, if the part or a similar one is there."""
    if not path and (value is part or value is HOLE or isinstance(value, _ARRAYS)):
        return new
    if not is_generated(value):
        return value
    if not path:
        return new
    held = getattr(value, path[0], None)
    child = _with_part_at(held, path[1:], part, new)
    if child is held:
        return value
    copy = _shallow_copy(value)
    _set(copy, path[0], child)
    return copy


def _shallow_copy(value: G) -> G:
    """Copy a frozen object, to set other values in some of its fields."""
    kind = type(value)
    copy = object.__new__(kind)
    for _, put, take in kind.__codegen_record__.slots:
        put(copy, take(value))
    return copy


def split_borrower(
    value: object, whole: object, donated: list[Any], kept: list[Any]
) -> Hashable:
    """Split a value with holes, unless it is whole: holes in the places of arrays are
    not leaves.
    """
    starts = len(donated), len(kept)
    structure = split(value, donated, kept)
    if value is not whole:
        for leaves, start in zip((donated, kept), starts, strict=True):
            leaves[start:] = [leaf for leaf in leaves[start:] if leaf is not HOLE]
    return structure


def rebind(obj: Generated, /, **fields: object) -> list[Any]:
    """Return the values of fields for `replace`, so that all paths of a part lead to
    the new one.

    The arguments are the fields through which the class's rows lead: each is a value or
    `KEEP`. The constructor checks the parts to which these rows lead.
    """
    values = {n: KEEP if x is getattr(obj, n) else x for n, x in fields.items()}
    new = _shallow_copy(obj)
    changed = {name for name, value in values.items() if value is not KEEP}
    for name in changed:
        _set(new, name, values[name])
    record: Record = type(obj).__codegen_record__
    judged = {path for row in record.shares for path in row}
    for path, owner in record.holes(new) if changed else ():
        if values.get(owner[0], KEEP) is not KEEP and path[0] not in changed:
            _put_at_path(new, path, get_at_path(new, owner))
            values[path[0]] = getattr(new, path[0])
        elif path not in judged:
            # By a row of a class that has the part at another path.
            require_shared(new, owner, path)
    return [*values.values()]


def require_shared(obj: object, owner: Path, *borrowers: Path) -> None:
    """Refuse an object that has different parts at paths declared as shared."""
    part = get_at_path(obj, owner)
    for path in borrowers:
        if get_at_path(obj, path) is not part:
            one, other = (
                f"`{type(obj).__qualname__}.{'.'.join(p)}`" for p in (owner, path)
            )
            same = (
                "one Ref, `jax.new_ref(array)`," if is_ref(part) else "the same object"
            )
            raise ValueError(
                f"{one} and {other} are declared as shared, but were given two "
                f"different objects: pass {same} to both, or use "
                f"`replace({owner[0]}=...)`, which replaces it at every path"
            )
