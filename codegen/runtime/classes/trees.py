# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
"""Objects as leaves and a structure: compared, filled with other leaves.

plate.like(None, u=0)           # Plate(u=0, alpha=None, grid=Grid(nx=64, ny=64), ...)
diff(plate, other)              # u: f32[125,3] != f32[125,3], first at [0, 2]: 1.0 != 3.0
"""

import dataclasses
import difflib
import importlib
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final

import jax
import numpy as np

from ..keys.conversion import statics
from ..keys.messages import flat
from ..keys.names import is_kind, other_class
from .arrays import NUMBERS

_NODES: Final = (tuple, list, dict, type(None))
_OURS: Final = ("__codegen_record__", "__codegen_hole__")
_ARRAYS: Final = (jax.Array, np.ndarray, np.generic)
_OF_NO_NUMBERS: Final = (RuntimeError, TypeError)  # deleted, elsewhere, or keys


# --- leaves


def equal_leaves(left: Any, right: Any) -> bool:
    """Compare two leaves by dtype, shape and values; a NaN is equal to a NaN.

    Those that are neither arrays nor numbers are compared by `==`.

    Raises:
        jax.errors.TracerArrayConversionError: one is traced, so its values are unknown
    """
    if left is right:
        return True
    for one, other in ((left, right), (right, left)):
        if hasattr(type(one), "__codegen_consumed__"):
            # Not left to an array, which would ask the marker for its values.
            return bool(one == other)
    if isinstance(left, _ARRAYS) and isinstance(right, _ARRAYS):
        return left.dtype == right.dtype and _equal_arrays(left, right)
    if _is_scalar(left) and _is_scalar(right):
        # A weakly typed scalar is a number before a call and a 0-d array after it.
        left, right = np.asarray(left), np.asarray(right)
        return bool(left.dtype.kind == right.dtype.kind) and _equal_arrays(left, right)
    if isinstance(left, _ARRAYS) or isinstance(right, _ARRAYS):
        # Such as a sharding in its place. NumPy would compare each of its elements.
        return False
    return bool(left == right)


def _is_scalar(leaf: Any) -> bool:
    return type(leaf) in NUMBERS or (isinstance(leaf, _ARRAYS) and leaf.shape == ())


def _equal_arrays(left: Any, right: Any) -> bool:
    if left.shape != right.shape:
        return False
    if is_kind(left.dtype, jax.dtypes.prng_key):
        left, right = jax.random.key_data(left), jax.random.key_data(right)
    return not np.any(different(np.asarray(left), np.asarray(right)))


def different(left: Any, right: Any) -> Any:
    """Return where the numbers of two arrays differ; a NaN does not from a NaN."""
    differ = left != right
    if is_kind(left.dtype, np.inexact):
        differ &= ~(np.isnan(left) & np.isnan(right))
    return differ


# --- structures


def same_tree(one: Any, other: Any) -> bool:
    """Compare two trees exactly, leaves and structure."""
    mine, treedef = jax.tree_util.tree_flatten(one)
    theirs, its = jax.tree_util.tree_flatten(other)
    return same_structure(treedef, its) and all(map(equal_leaves, mine, theirs))


def _first_structure(treedef: Any) -> Hashable:
    """Import the part `structures`, where it is written, and compare by what it sets."""
    try:
        importlib.import_module("..structures", __package__)
    except ModuleNotFoundError:
        # As JAX does, by Python's `==` of their metadata.
        foreign.structure = lambda treedef: treedef
    return foreign.structure(treedef)


@dataclasses.dataclass(slots=True)
class Foreign:
    """How pytrees of others are compared: exactly, by what the part `structures` sets."""

    # From a treedef to what stands for it.
    structure: Callable[[Any], Hashable] = _first_structure


foreign = Foreign()


def same_structure(one: Any, other: Any) -> bool:
    """Tell whether two treedefs are exactly the same.

    What no tag can be made of, as of a list, is compared as JAX does.
    """
    if one != other or (is_ours(one) and is_ours(other)):
        return bool(one == other)
    try:
        return foreign.structure(one) == foreign.structure(other)
    except TypeError:
        return True


def is_ours(treedef: Any, others: tuple[type[Any], ...] = ()) -> bool:
    """Tell whether JAX's own `==` is exact among treedefs of ours, and of some others."""
    node = treedef.node_data()
    if node is None:
        return True
    kind, metadata = node
    if kind is dict and any(type(key) is not str for key in metadata):
        return False
    ours = any(kind is each for each in (*_NODES, *others))
    if not ours and not any(hasattr(kind, name) for name in _OURS):
        return False
    flat = treedef.num_nodes == treedef.num_leaves + 1
    return flat or all(is_ours(child, others) for child in treedef.children())


# --- filling


def like(obj: Any, leaf: Any, fields: dict[str, Any]) -> Any:
    """Return an object with `leaf` in place of all leaves but those of some fields.

    Nothing is converted or checked, as it is when JAX unflattens.

    Raises:
        TypeError: there is no such field, or what stands in it is not to be chosen
    """
    record = type(obj).__codegen_record__
    children, key = record.flatten(obj)
    held = dict(zip(record.data_fields, children, strict=True))
    for name in fields:
        if name not in held:
            raise _no_field(obj, name)
        below = jax.tree_util.tree_leaves(held[name], is_leaf=_is_hole)
        if below and all(map(_is_hole, below)):
            raise _borrowed(obj, name)
    rest = {name: child for name, child in held.items() if name not in fields}
    held |= {**jax.tree_util.tree_map(lambda _: leaf, rest), **fields}
    return record.unflatten(key, tuple(held.values()))


def _is_hole(value: object) -> bool:
    return hasattr(type(value), "__codegen_hole__")


def _no_field(obj: Any, name: str) -> TypeError:
    record = type(obj).__codegen_record__
    where = f"`{type(obj).__qualname__}.like`"
    if name in record.meta_fields:
        return TypeError(
            f"{where} keeps what is static, and `{name}` is static: write "
            f"`replace({name}=...)` before it"
        )
    near = difflib.get_close_matches(name, record.data_fields, n=1)
    known = ", ".join(f"`{field}`" for field in record.data_fields)
    advice = f"did you mean `{near[0]}`?" if near else f"it has {known}"
    return TypeError(f"{where} knows no field `{name}`: {advice}")


def _borrowed(obj: Any, name: str) -> TypeError:
    rows = type(obj).__codegen_record__.shares
    found = (row[0] for row in rows if any(path[0] == name for path in row[1:]))
    owner = ".".join(next(found, ("another field",)))
    return TypeError(
        f"`{name}` of `{type(obj).__qualname__}` is one object with that of `{owner}`, "
        f"which owns it: give the value there, as that of `{owner}`"
    )


# --- differences


class Differences(dict[str, tuple[Any, Any]]):
    """What differs, by its path, with both values; printed, a line for each."""

    def __repr__(self) -> str:
        lines = [f"{path}: {_described(*pair)}" for path, pair in self.items()]
        return "\n".join(lines) or "no difference"


def diff(one: Any, other: Any) -> Differences:
    """Return the fields, by path, in which two objects of a class differ.

    Raises:
        TypeError: they are no objects of one generated class
    """
    kind, its = type(one), type(other)
    if kind is not its or not hasattr(kind, "__codegen_record__"):
        given = f"a `{kind.__qualname__}` and a `{its.__qualname__}`"
        why = other_class(one, its)
        raise TypeError(
            f"`diff` takes two objects of one generated class, but was given {given}"
            + (f": {why}" if why else "")
        )
    return Differences(_compared(one, other, "", is_static=False))


def _compared(
    one: Any, other: Any, path: str, *, is_static: bool
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield what differs at a path and below it."""
    mine, theirs = _parts(one), _parts(other)
    if type(one) is not type(other) or mine is None or theirs is None:
        is_leaf = mine is None and theirs is None
        same = _same_static if is_static else same_tree
        if not (one is other or (is_leaf and same(one, other))):
            yield path, (one, other)
    elif mine.keys() != theirs.keys() or (is_static and [*mine] != [*theirs]):
        yield path, (one, other)
    else:
        record = getattr(type(one), "__codegen_record__", None)
        statics = () if record is None else record.meta_fields
        for name, item in mine.items():
            step = path + (f".{name}" if path and name[0] != "[" else name)
            below = is_static or name in statics
            yield from _compared(item, theirs[name], step, is_static=below)


def _parts(value: Any) -> dict[str, Any] | None:
    """Return what a value holds, by the step that leads there; None of what is a leaf."""
    kind: Any = type(value)
    if hasattr(kind, "__codegen_record__"):
        names = [field.name for field in dataclasses.fields(kind)]
        return {name: getattr(value, name) for name in names}
    if kind is list or isinstance(value, tuple):
        steps = getattr(kind, "_fields", [f"[{i}]" for i in range(len(value))])
        return dict(zip(steps, value, strict=True))
    if kind is dict or hasattr(kind, "__codegen_tag__"):
        return {f"[{key!r}]": item for key, item in value.items()}
    return None


def _same_static(one: Any, other: Any) -> bool:
    """Compare two static values as their keys do."""
    try:
        tags = [statics.tag(value, "diff", "value")[1] for value in (one, other)]
    except TypeError:
        return False  # what only its declared type lets in is compared by identity
    return tags[0] == tags[1]


def _described(one: Any, other: Any) -> str:
    texts = flat(one), flat(other)
    place = _first(one, other) if texts[0] == texts[1] else ""
    return f"{texts[0]} != {texts[1]}{place}"


def _first(one: Any, other: Any) -> str:
    """Say where two arrays of one shape begin to differ; nothing of what has no numbers."""
    if not isinstance(one, jax.Array | np.ndarray):
        return ""
    try:
        mine, theirs = np.asarray(one), np.asarray(other)
    except _OF_NO_NUMBERS:
        return ""
    places = np.argwhere(different(mine, theirs)).tolist()
    if not places:
        return ""
    place = tuple(places[0])
    return f", first at {places[0]}: {mine[place]!s} != {theirs[place]!s}"
