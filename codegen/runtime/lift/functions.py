# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Functions of drafts as the functions of objects that JAX transforms.

    stateful(f, "lift.jit", variant)(plate, x)  # f's result, and what plate has become

    Array, Plate.Draft  ->  Array               # f
    Array, Plate        ->  Array, Plate        # what JAX transforms

Each is made once per function object, and found again as long as that lives: a trace that
JAX caches for the one is a trace for the other. It refers to the function weakly, or the
function would never die; whoever calls it holds the function. Where a draft has fields
that may not be written there is another for these: a trace in which the function writes
them must not be found.
"""

import functools
import weakref
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import jax

from ..classes.trees import same_structure
from ..drafts.objects import object_of, restore
from ..drafts.state import (
    AnyDraft,
    DraftError,
    Reasons,
    forbid,
    is_draft,
    reasons_of,
)
from ..keys.messages import shown_shape
from ..structures import InexactStructure, Structure, is_ours, located

Function: TypeAlias = Callable[..., Any]
R = TypeVar("R")

# The function that chooses whether `lift.while_loop` goes on.
CONDITION: Final = "the condition of `lift.while_loop`"
_ENDED: Final = "ended with the function that it was passed to: use the outer one"
_NO_AXIS: Final = (
    "has no axis in the `in_axes` of `lift.vmap`: all elements share it, so give it an "
    "axis (a key: split it into one an element)"
)


class Variant(NamedTuple):
    """What tells traces of one function apart that JAX would not tell apart."""

    # Why some fields of the draft may not be written.
    read_only: Reasons = ()
    # The structure of draft and arguments, where it is not all of this package.
    structure: Structure | None = None


def lifted(
    name: str,
    draft: AnyDraft,
    run: Callable[[Any, Variant], tuple[R, Any]],
    *rest: Any,
) -> R:
    """Run a transformation of a draft's object, and write back what that has become.

    Meanwhile the draft is lent, and cannot be used.

    Args:
        name: that of the transformation
        draft: the draft
        run: from its object, and what its traces are found by, to the result and the
            new object
        rest: the arguments beside the draft

    Raises:
        TypeError: there is metadata in them that cannot be compared exactly
    """
    if not is_draft(draft):
        raise TypeError(
            f"`{name}` takes a draft first, as `plate.draft()` makes it, but was given "
            f"a {type(draft).__qualname__}"
        )
    obj = object_of(draft, f"passed to `{name}`")
    variant = Variant(reasons_of(draft), _structure(obj, rest, name))
    session = draft.__codegen_node__.session
    session.lent = name
    try:
        result, new = run(obj, variant)
    finally:
        session.lent = ""
    restore(draft, new)
    return result


def _structure(obj: Any, rest: tuple[Any, ...], name: str) -> Structure | None:
    values = (obj, *rest)
    treedef = jax.tree_util.tree_structure(values)
    if is_ours(treedef):
        return None
    structure = Structure(treedef)
    try:
        hash(structure)
    except InexactStructure as error:
        paths = [f"args[{index}]" for index in range(len(rest))]
        raise located(error, values, ["draft", *paths], name) from None
    return structure


# --- one function of objects for each function of drafts

_Key: TypeAlias = tuple[int, str, Variant, int]
_known: Final[dict[_Key, tuple[weakref.ref[Any], Function]]] = {}


def stateful(f: Function, name: str, variant: Variant, index: int = 0) -> Function:
    """Return the function of objects of one of drafts; one for all that are equal.

    Args:
        f: takes a draft
        name: the transformation that takes it, or `CONDITION`
        variant: what else tells its traces from others
        index: which argument the draft is
    """
    key = id(f), name, variant, index
    known = _known.get(key)
    if known is not None and known[0]() is f:
        return known[1]
    try:
        reference: Any = weakref.ref(f, functools.partial(_forget, key))
    except TypeError:  # nothing can refer to it weakly
        return _stateful(lambda: f, *key[1:])
    made = _stateful(reference, *key[1:])
    # Not by `functools.wraps`, which would hold the function.
    made.__name__ = getattr(f, "__name__", type(f).__name__)
    made.__qualname__ = getattr(f, "__qualname__", made.__name__)
    _known[key] = reference, made
    return made


def _forget(key: _Key, reference: Any) -> None:
    if key in _known and _known[key][0] is reference:
        _known.pop(key, None)


def _stateful(
    f: Callable[[], Function], name: str, variant: Variant, index: int
) -> Function:
    def call(*args: Any, **kwargs: Any) -> Any:
        old = args[index]
        draft = type(old).Draft(old)
        forbid(draft, variant.read_only)
        result = f()(*args[:index], draft, *args[index + 1 :], **kwargs)
        new = object_of(draft, "given back by the function that it was passed to")
        draft.__codegen_node__.session.ended = _ENDED
        return _given_back(name, result, old, new)

    return call


def _given_back(name: str, result: Any, old: Any, new: Any) -> Any:
    """Return what a function returned, and the new object, as the transformation does."""
    if name == CONDITION:
        return result
    if name in ("lift.cond", "lift.scan", "lift.while_loop"):
        _require_same(old, new, name, "shape, dtype and structure")
    elif name == "lift.vmap":
        _require_same(old, new, name, "structure")
    if name == "lift.while_loop":
        if result is not None:
            raise TypeError(
                "the body of `lift.while_loop` returns nothing, but this one returned "
                f"a {type(result).__qualname__}: write it into a field of the draft"
            )
        return new
    return (new, result) if name == "lift.scan" else (result, new)


# --- vmap


def axes_of_leaves(obj: Any, axes: Any) -> tuple[list[Any], Reasons]:
    """Return the axis of each leaf, and why those without one may not be written.

    Args:
        obj: the object
        axes: a tree of axes above its leaves
    """
    treedef: Any  # JAX's stubs know no methods of it
    located, treedef = jax.tree_util.tree_flatten_with_path(obj)
    spread = jax.tree.broadcast(axes, obj, is_leaf=_is_none)
    # In the object's own structure: a field that is None has no leaf, and no axis.
    found: list[Any] = treedef.flatten_up_to(spread)
    reasons: list[tuple[tuple[Any, ...], str]] = []
    for (path, leaf), axis in zip(located, found, strict=True):
        rank = len(getattr(leaf, "shape", ()))
        if axis is None:
            is_field = isinstance(path[-1], jax.tree_util.GetAttrKey)
            what = "it" if is_field else "an array in it"
            reasons.append((tuple(map(_step, path)), f"{what} {_NO_AXIS}"))
        elif isinstance(axis, int) and not -rank <= axis < rank:
            name = type(obj).__qualname__
            raise DraftError(
                f"`{name}{jax.tree_util.keystr(path)}` is {_described(leaf)}, and has no "
                f"axis {axis}, over which `lift.vmap` was asked to map it: say in "
                '`in_axes` which fields have the axis, as `(obj.axes("n"), ...)` does '
                f"for the dimension `n`; the draft of a `{name}` has None for the others"
            )
    return found, tuple(reasons)


def _is_none(value: object) -> bool:
    return value is None


def _step(key: Any) -> Any:
    """Return the field, index or key that a step of a path is."""
    names = (name for name in ("name", "idx", "key") if hasattr(key, name))
    return getattr(key, next(names))


# --- what stays as it is


def _require_same(before: Any, after: Any, name: str, kept: str) -> None:
    """Refuse a new object of another structure, or also of other shapes and dtypes."""
    cls = type(before).__qualname__
    found = _difference(before, after, cls, shapes=kept != "structure")
    if found:
        raise DraftError(f"{found} in `{name}`, where every field keeps its {kept}")


def _difference(before: Any, after: Any, path: str, *, shapes: bool) -> str:
    """Say where two values differ first; nothing where they do not."""
    record = getattr(type(before), "__codegen_record__", None)
    if record is not None and type(after) is type(before):
        if before.__codegen_key__ is not after.__codegen_key__:
            old, new = before.__codegen_key__, after.__codegen_key__
            return f"`{path}` changed from {old!r} to {new!r}"
        for name in record.data_fields:
            pair = getattr(before, name), getattr(after, name)
            found = _difference(*pair, f"{path}.{name}", shapes=shapes)
            if found:
                return found
        return ""
    ours, treedef = jax.tree_util.tree_flatten_with_path(before)
    theirs, other = jax.tree_util.tree_flatten_with_path(after)
    if not same_structure(treedef, other):
        return f"`{path}` changed from {_kind(before)} to {_kind(after)}"
    for (where, old), (_, new) in zip(ours, theirs, strict=True):
        if shapes and _described(old) != _described(new):
            at = path + jax.tree_util.keystr(where)
            return f"`{at}` changed from {_described(old)} to {_described(new)}"
    return ""


def _kind(value: Any) -> str:
    if isinstance(value, tuple | list | dict):
        return f"a {type(value).__name__} of {len(value)}"
    if hasattr(value, "dtype"):
        return _described(value)
    return "None" if value is None else f"a `{type(value).__qualname__}`"


def _described(leaf: Any) -> str:
    """Return dtype and shape of an array or number, as `float32[3]`."""
    try:
        return shown_shape(jax.typeof(leaf))
    except TypeError:
        return type(leaf).__qualname__
