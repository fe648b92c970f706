# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
"""Functions of drafts as the functions of objects that JAX transforms.

    stateful(f, lift)(plate, x)         # f's result, and what plate has become

Each is made once per function object, and found again as long as that lives: a trace that
JAX caches for the one is a trace for the other. It refers to the function weakly, or the
function would never die; whoever calls it holds the function.
"""

import weakref
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import jax

from ..classes.trees import same_structure
from ..drafts.state import (
    AnyDraft,
    DraftError,
    Reasons,
    forbid,
    is_draft,
    object_of,
    reasons_of,
    restore,
)
from ..keys.messages import shown_shape
from ..keys.names import is_generated
from ..structures import InexactStructure, Structure, is_ours, located

Function: TypeAlias = Callable[..., Any]

# The function that chooses whether `lift.while_loop` goes on.
CONDITION: Final = "the condition of `lift.while_loop`"


class Lift(NamedTuple):
    """A transformation, and what tells traces apart that JAX would not tell apart."""

    # Or `CONDITION`.
    name: str
    # Why some fields of the draft may not be written.
    read_only: Reasons
    # The structure of draft and arguments, where it is not all of this package.
    structure: Structure | None


def lifted(
    name: str, draft: AnyDraft, run: Callable[[Any, Lift], Any], *rest: Any
) -> Any:
    """Run a transformation of a draft's object, and write back what that has become.

    Meanwhile the draft is lent. `run` goes from the object, and how it is lifted, to the
    result and the new object. The rest are arguments: by their structure, too, traces are
    found, so that metadata which cannot be compared exactly is a TypeError.
    """
    if not is_draft(draft):
        raise TypeError(
            f"`{name}` takes a draft first, as `plate.draft()` makes it, but was given "
            f"a {type(draft).__qualname__}"
        )
    obj = object_of(draft, f"passed to `{name}`")
    treedef = jax.tree_util.tree_structure((obj, *rest))
    structure = None if is_ours(treedef) else Structure(treedef)
    session = draft.__codegen_node__.session
    session.lent = name
    try:
        hash(structure)
        result, new = run(obj, Lift(name, reasons_of(draft), structure))
    except InexactStructure as error:
        paths = ["draft", *(f"args[{index}]" for index in range(len(rest)))]
        raise located(error, (obj, *rest), paths, name) from None
    finally:
        session.lent = ""
    restore(draft, new)
    return result


# By the function's id and what the transformation is; gone with the function.
_known: Final[dict[tuple[int, Lift], Function]] = {}


def stateful(f: Function, lift: Lift) -> Function:
    """Return the function of objects of one of drafts; one for all that are equal."""
    key = id(f), lift
    if key not in _known:
        try:
            held: Any = weakref.ref(f)
            weakref.finalize(f, _known.pop, key, None)
        except TypeError:  # nothing can refer to it weakly
            return _stateful(lambda: f, lift)
        _known[key] = _stateful(held, lift)
    return _known[key]


def _stateful(f: Callable[[], Function], lift: Lift) -> Function:
    def call(old: Any, /, *args: Any, **kwargs: Any) -> Any:
        draft = type(old).Draft(old)
        forbid(draft, lift.read_only)
        result = f()(draft, *args, **kwargs)
        new = object_of(draft, "given back by the function that it was passed to")
        draft.__codegen_node__.session.ended = (
            "ended with the function that it was passed to: use the outer one"
        )
        if lift.name == CONDITION:
            return result
        if lift.name in ("lift.cond", "lift.scan", "lift.while_loop"):
            _require_same(old, new, type(old).__qualname__, lift.name)
        if lift.name == "lift.while_loop":
            if result is not None:
                raise TypeError(
                    "the body of `lift.while_loop` returns nothing, but this one "
                    f"returned a {type(result).__qualname__}: write it to the draft"
                )
            return new
        return (new, result) if lift.name == "lift.scan" else (result, new)

    # Not by `functools.wraps`, which would hold the function.
    call.__name__ = getattr(f(), "__name__", type(f()).__name__)
    return call


def _require_same(before: Any, after: Any, path: str, name: str) -> None:
    """Refuse what differs in shape, dtype or structure where nothing may."""
    one_level = jax.tree_util.tree_flatten_with_path
    ours, treedef = one_level(before, is_leaf=lambda value: value is not before)
    theirs, other = one_level(after, is_leaf=lambda value: value is not after)
    texts = [_described(before), _described(after)]
    if not same_structure(treedef, other):
        if is_generated(before) and type(before) is type(after):
            texts = [repr(each.__codegen_key__) for each in (before, after)]
    elif jax.tree_util.treedef_is_leaf(treedef):
        if texts[0] == texts[1]:
            return
    else:
        for (step, old), (_, new) in zip(ours, theirs, strict=True):
            _require_same(old, new, path + jax.tree_util.keystr(step), name)
        return
    raise DraftError(
        f"`{path}` changed from {texts[0]} to {texts[1]} in `{name}`, where every field "
        "keeps its shape, dtype and structure"
    )


def _described(value: Any) -> str:
    """Return dtype and shape of an array or number, as `float32[3]`; else what it is."""
    if isinstance(value, tuple | list | dict):
        return f"a {type(value).__name__} of {len(value)}"
    try:
        return shown_shape(jax.typeof(value))
    except TypeError:
        return "None" if value is None else f"a `{type(value).__qualname__}`"


def unmapped(obj: Any, axes: Any) -> Reasons:
    """Return which fields have no axis under `vmap`, and so may not be written.

    A tree of axes above the object's leaves may have none that an array does not have.
    """
    reasons: list[tuple[tuple[Any, ...], str]] = []

    def visit(path: tuple[Any, ...], leaf: Any, axis: Any) -> None:
        rank = len(getattr(leaf, "shape", ()))
        if axis is None:
            is_field = isinstance(path[-1], jax.tree_util.GetAttrKey)
            what = "it" if is_field else "an array in it"
            reason = (
                f"{what} has no axis in the `in_axes` of `lift.vmap`: all elements "
                "share it, so give it an axis (a key: split it into one an element)"
            )
            reasons.append((path, reason))
        elif isinstance(axis, int) and not -rank <= axis < rank:
            where = type(obj).__qualname__ + jax.tree_util.keystr(path)
            raise DraftError(
                f"`{where}` is {_described(leaf)}, and has no axis {axis}, over which "
                "`lift.vmap` was asked to map it: say in "
                '`in_axes` which fields have it, as `(obj.axes("n"), ...)` does for the '
                "dimension `n`"
            )

    spread = jax.tree.broadcast(axes, obj, is_leaf=lambda axis: axis is None)
    jax.tree_util.tree_map_with_path(visit, obj, spread)
    return tuple(reasons)
