# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Functions of drafts as the functions of objects that JAX transforms.

    stateful(f, ())(plate, x)   # (f's result, the plate that f's draft has become)

Each is made once per function object, and found again as long as that lives: a trace that
JAX caches for the one is a trace for the other. It refers to the function weakly, or the
function would never die; whoever calls it holds the function. Where a draft has fields
that may not be written there is another for these marks: a trace in which the function
writes them must not be found.
"""

import contextlib
import functools
import importlib
import weakref
from collections.abc import Callable, Generator
from typing import Any, Final, NamedTuple

import jax

from ..classes.structures import (
    InexactStructure,
    Structure,
    is_ours,
    located,
    same_structure,
)
from ..drafts.marks import Marks, mark, mark_unmapped, marks_of
from ..drafts.state import DraftError, Twin, open_draft, require_sound, unload
from ..keys.messages import shown_shape

Function = Callable[..., Any]


def foreign_lift(draft: Any) -> Any:
    """Return the `lift` of the package that a draft is of; None where it is this one."""
    if isinstance(draft, Twin) or not hasattr(type(draft), "__codegen_known__"):
        return None
    package = type(draft).__codegen_known__.__module__.rpartition(".")[0]
    return importlib.import_module(f"{package}.lift")


class Variant(NamedTuple):
    """What tells traces of one function apart that JAX would not tell apart."""

    # The marks of the draft.
    marks: Marks
    # The structure of draft and arguments, where it is not all of this package.
    structure: Structure | None


PLAIN: Final = Variant((), None)


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


@contextlib.contextmanager
def lent(draft: Any, name: str, *rest: Any) -> Generator[tuple[Any, Variant]]:
    """Give the object of a draft, which is unusable meanwhile, and what its trace needs.

    Args:
        draft: the draft
        name: that of the transformation
        rest: the arguments beside the draft

    Raises:
        TypeError: there is metadata in them that cannot be compared exactly
    """
    if not isinstance(draft, Twin):
        raise TypeError(
            f"`{name}` takes a draft first, as `plate.draft()` makes it, but was given "
            f"a {type(draft).__qualname__}"
        )
    node = draft.__codegen_node__
    node.require("", f"passed to `{name}`")
    require_sound(draft)
    obj = unload(draft)
    variant = Variant(marks_of(draft), _structure(obj, rest, name))
    node.session.lent = name
    try:
        yield obj, variant
    finally:
        node.session.lent = ""


def opened(obj: Any, marks: Marks) -> Any:
    """Make the draft of an object for the trace of a function."""
    draft: Twin = object.__new__(type(obj).Draft)
    open_draft(draft, obj)
    mark(draft, marks)
    return draft


def closed(draft: Twin) -> Any:
    """Return the object of a function's draft, which ends with the function."""
    node = draft.__codegen_node__
    node.require("", "given back by the function that it was passed to")
    require_sound(draft)
    obj = unload(draft)
    node.session.ended = (
        "ended with the function that it was passed to: use the outer one"
    )
    return obj


# --- one function of objects for each function of drafts


def per_function(
    make: Callable[[Callable[[], Function], Variant], Function],
) -> Callable[[Function, Variant], Function]:
    """Make a function of each function object once; `make` gets a reference to it."""
    table: dict[tuple[int, Variant], tuple[weakref.ref[Any], Function]] = {}

    def find(f: Function, variant: Variant) -> Function:
        at = id(f), variant
        known = table.get(at)
        if known is not None and known[0]() is f:
            return known[1]
        try:
            reference: Any = weakref.ref(f, functools.partial(_forget, table, at))
        except TypeError:
            return make(
                lambda: f, variant
            )  # of a kind that nothing can refer to weakly
        made = make(reference, variant)
        # Not by `functools.wraps`, which would hold the function.
        made.__name__ = getattr(f, "__name__", type(f).__name__)
        made.__qualname__ = getattr(f, "__qualname__", made.__name__)
        table[at] = reference, made
        return made

    return functools.wraps(make)(find)


def _forget(table: dict[Any, Any], at: Any, reference: Any) -> None:
    known = table.get(at)
    if known is not None and known[0] is reference:
        table.pop(at, None)


@per_function
def stateful(f: Callable[[], Function], variant: Variant) -> Function:
    """Of f(draft, *args): (obj, *args) to f's result and the new object."""

    def call(obj: Any, *args: Any, **kwargs: Any) -> Any:
        draft = opened(obj, variant.marks)
        result = f()(draft, *args, **kwargs)
        return result, closed(draft)

    return call


@per_function
def branch(f: Callable[[], Function], variant: Variant) -> Function:
    """The same, where the new object has to be like the old one."""

    def call(obj: Any, *args: Any) -> Any:
        draft = opened(obj, variant.marks)
        result = f()(draft, *args)
        return result, alike(obj, closed(draft), "lift.cond")

    return call


@per_function
def scan_body(f: Callable[[], Function], variant: Variant) -> Function:
    """Of f(draft, x): (obj, x) to the new object and f's result."""

    def call(obj: Any, x: Any) -> Any:
        draft = opened(obj, variant.marks)
        result = f()(draft, x)
        return alike(obj, closed(draft), "lift.scan"), result

    return call


@per_function
def loop_body(f: Callable[[], Function], variant: Variant) -> Function:
    """Of body(draft): obj to the new object."""

    def call(obj: Any) -> Any:
        draft = opened(obj, variant.marks)
        result = f()(draft)
        if result is not None:
            raise TypeError(
                "the body of `lift.while_loop` returns nothing, but this one returned "
                f"a {type(result).__qualname__}: write it into a field of the draft"
            )
        return alike(obj, closed(draft), "lift.while_loop")

    return call


@per_function
def condition(f: Callable[[], Function], variant: Variant) -> Function:
    """Of cond(draft), which may not write: obj to its result."""

    def call(obj: Any) -> Any:
        draft = opened(obj, variant.marks)
        draft.__codegen_node__.session.fixed = (
            "the condition of `lift.while_loop` may not write: write in the body"
        )
        result = f()(draft)
        closed(draft)
        return result

    return call


def differentiated(f: Function, has_aux: bool, variant: Variant) -> Function:
    """Of f(w, draft, *args): (w, obj, *args) to the value, and the rest beside it."""

    @functools.wraps(f)
    def call(w: Any, obj: Any, *args: Any, **kwargs: Any) -> Any:
        draft = opened(obj, variant.marks)
        result = f(w, draft, *args, **kwargs)
        value, aux = result if has_aux else (result, None)
        return value, (aux, closed(draft))

    return call


# --- vmap


def with_axes(obj: Any, in_axes: Any, count: int) -> tuple[list[Any], list[Any], Any]:
    """Return an object's leaves, the axis of each, and the axes of `count` arguments."""
    several = isinstance(in_axes, tuple | list)
    first = in_axes[0] if several else in_axes
    rest = in_axes[1:] if several else [in_axes] * count
    treedef: Any  # JAX's stubs know no methods of it
    leaves, treedef = jax.tree_util.tree_flatten(obj)
    spread = jax.tree.broadcast(first, obj, is_leaf=_is_none)
    # In the object's own structure: a field that is None has no leaf, and no axis.
    axes = treedef.flatten_up_to(spread)
    for i, (leaf, axis) in enumerate(zip(leaves, axes, strict=True)):
        if isinstance(axis, int) and not -_rank(leaf) <= axis < _rank(leaf):
            raise DraftError(_no_axis(obj, i, axis))
    return leaves, axes, tuple(rest)


def _rank(leaf: Any) -> int:
    return len(getattr(leaf, "shape", ()))


def _no_axis(obj: Any, index: int, axis: int) -> str:
    path, leaf = jax.tree_util.tree_leaves_with_path(obj)[index]
    name = type(obj).__qualname__
    return (
        f"`{name}{jax.tree_util.keystr(path)}` is {_described(leaf)}, and has no axis "
        f"{axis}, over which `lift.vmap` was asked to map it: say in `in_axes` which "
        'fields have the axis, as `(obj.axes("n"), ...)` does for the dimension `n`; '
        f"the draft of a `{name}` has None for the others"
    )


def _is_none(value: object) -> bool:
    return value is None


def element(f: Function, treedef: Any, axes: list[Any], marks: Marks) -> Function:
    """Of f(draft, *args): (leaves, *args) to f's result and the leaves with an axis."""
    unmapped = [axis is None for axis in axes]

    @functools.wraps(f)
    def call(leaves: list[Any], *args: Any, **kwargs: Any) -> Any:
        obj = jax.tree_util.tree_unflatten(treedef, leaves)
        draft = opened(obj, marks)
        mark_unmapped(draft, jax.tree_util.tree_unflatten(treedef, unmapped))
        result = f(draft, *args, **kwargs)
        new = structured(obj, closed(draft), "lift.vmap")
        pairs = zip(axes, jax.tree_util.tree_leaves(new), strict=True)
        return result, [leaf for axis, leaf in pairs if axis is not None]

    return call


# --- what stays as it is


def alike(before: Any, after: Any, name: str) -> Any:
    """Return the new object; refuse one of other shapes, dtypes or structure."""
    found = _difference(before, after, type(before).__qualname__, shapes=True)
    if found:
        raise DraftError(
            f"{found} in `{name}`, where every field keeps its shape, dtype and structure"
        )
    return after


def structured(before: Any, after: Any, name: str) -> Any:
    """Return the new object; refuse one of another structure."""
    found = _difference(before, after, type(before).__qualname__, shapes=False)
    if found:
        raise DraftError(f"{found} in `{name}`, where every field keeps its structure")
    return after


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
