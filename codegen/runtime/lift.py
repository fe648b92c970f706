# mypy: disable-error-code="no-any-return"
"""JAX's transformations for functions that receive a draft and write to it.

    def count(draft: Counter.Draft, x: Array) -> Array:
        draft.n += 1
        return x * draft.n

    draft = counter.draft()
    lift.scan(count, draft, jnp.arange(3.0))    # [0., 2., 6.]
    draft.n                                     # 3

The draft's arrays become arguments and results of the transformed function, so the
numbers equal those of the functional program. The function gets its own draft. Until it
returns, the outer draft cannot be used. In `scan` and `while_loop` every field keeps
its shape, dtype and structure, as JAX requires for a loop carry. Traces are cached per
function object, as in `jax.jit`. Options are those of JAX's transformation.
"""

import contextlib
import functools
import weakref
from collections.abc import Callable, Sequence
from typing import (
    Any,
    Concatenate,
    Final,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
    overload,
)

import jax
from jax import Array
from jax.typing import ArrayLike

from .drafts import state
from .keys.names import is_ref
from .refs import explain_refusal
from .treedefs import Structure

Function: TypeAlias = Callable[..., Any]

D = TypeVar("D", bound=state.AnyDraft)
P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W")
X = TypeVar("X")
Aux = TypeVar("Aux")
Ts = TypeVarTuple("Ts")
# A function of a draft, and one that is differentiated in the argument before the
# draft.
OnDraft: TypeAlias = Callable[Concatenate[D, P], R]
Loss: TypeAlias = Callable[Concatenate[W, D, P], R]

# The function that decides whether `while_loop` continues.
_CONDITION: Final = "the condition of `lift.while_loop`"
_ENDED: Final = ", but the draft ended when the function that it was passed to returned"


class _Lift(NamedTuple):
    """A transformation, and data that separate traces which JAX would not separate."""

    # Or `_CONDITION`.
    name: str
    # The fields of the draft that may not be written, with the reasons.
    read_only: state.Reasons
    # The exact structure of draft and arguments.
    structure: Structure


def jit(f: OnDraft[D, P, R], **options: object) -> OnDraft[D, P, R]:
    """Compile `f(draft, *args)`. The options count the draft as the first argument."""
    return _lift_transform("lift.jit", f, functools.partial(jax.jit, **options))


def checkpoint(f: OnDraft[D, P, R], **options: Any) -> OnDraft[D, P, R]:
    """Recompute `f(draft, *args)` in the backward pass; its writes count once."""
    transform = functools.partial(jax.checkpoint, **options)
    return _lift_transform("lift.checkpoint", f, transform)


def _lift_transform(
    name: str, f: OnDraft[D, P, R], transform: Callable[[Function], Any]
) -> OnDraft[D, P, R]:
    @functools.cache
    def transformed(lift: _Lift) -> Any:
        return transform(_on_object(f, lift))

    @functools.wraps(f)
    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        def run(obj: object, lift: _Lift) -> object:
            return transformed(lift)(obj, *args, **kwargs)

        return _run_on_object(name, draft, run, *args, *kwargs.values())

    return call


@overload
def scan(
    f: Callable[[D, X], R],
    draft: D,
    xs: X,
    length: int | None = None,
    **options: object,
) -> R: ...
@overload
def scan(
    f: Callable[[D, None], R],
    draft: D,
    xs: None = None,
    length: int | None = None,
    **options: object,
) -> R: ...
def scan(
    f: Function,
    draft: Any,
    xs: object = None,
    length: int | None = None,
    **options: Any,
) -> object:
    """Call `f(draft, x)` for each x along the first axis of xs; stack the results."""

    def run(obj: object, lift: _Lift) -> object:
        carry, refs = _without_refs(obj)
        body = _on_object(f, lift, refs)
        new, results = jax.lax.scan(body, carry, xs, length, **options)
        return results, new

    return _run_on_object("lift.scan", draft, run, xs)


def while_loop(
    cond: Callable[[D], ArrayLike], body: Callable[[D], None], draft: D
) -> None:
    """Call `body(draft)` while `cond(draft)` is true; `cond` may not write."""

    def run(obj: object, lift: _Lift) -> object:
        reason = f"{_CONDITION} may not write: write in the body"
        reading = lift._replace(name=_CONDITION, read_only=(((), reason),))
        # The condition gets no Refs: it would read their values from before the loop.
        carry, refs = _without_refs(obj)
        loop = _on_object(cond, reading), _on_object(body, lift, refs)
        return None, jax.lax.while_loop(*loop, carry)

    _run_on_object("lift.while_loop", draft, run)


def cond(
    pred: ArrayLike,
    true_fun: Callable[[D, *Ts], R],
    false_fun: Callable[[D, *Ts], R],
    draft: D,
    *args: *Ts,
) -> R:
    """Call one of two functions, selected by a boolean that may be traced."""

    def run(obj: object, lift: _Lift) -> object:
        branches = _on_object(true_fun, lift), _on_object(false_fun, lift)
        return jax.lax.cond(pred, *branches, obj, *args)

    return _run_on_object("lift.cond", draft, run, *args)


@overload
def value_and_grad(
    f: Loss[W, D, P, Array], has_aux: Literal[False] = False, **options: object
) -> Loss[W, D, P, tuple[Array, W]]: ...
@overload
def value_and_grad(
    f: Loss[W, D, P, tuple[Array, Aux]], has_aux: Literal[True], **options: object
) -> Loss[W, D, P, tuple[tuple[Array, Aux], W]]: ...
def value_and_grad(f: Function, has_aux: bool = False, **options: object) -> Function:
    """Differentiate `f(w, draft, *args)` with respect to w: return the value and the
    gradient.
    """
    return _derivative("lift.value_and_grad", f, has_aux, options)


@overload
def grad(
    f: Loss[W, D, P, Array], has_aux: Literal[False] = False, **options: object
) -> Loss[W, D, P, W]: ...
@overload
def grad(
    f: Loss[W, D, P, tuple[Array, Aux]], has_aux: Literal[True], **options: object
) -> Loss[W, D, P, tuple[W, Aux]]: ...
def grad(f: Function, has_aux: bool = False, **options: object) -> Function:
    """Differentiate `f(w, draft, *args)` with respect to w: return the gradient."""
    return _derivative("lift.grad", f, has_aux, options)


def _derivative(name: str, f: Function, has_aux: bool, options: Any) -> Function:
    def swapped(
        draft: state.AnyDraft, w: object, *args: object, **kwargs: object
    ) -> object:
        return f(w, draft, *args, **kwargs)

    @functools.wraps(f)
    def call(
        w: object, draft: state.AnyDraft, *args: object, **kwargs: object
    ) -> object:
        for path, leaf in jax.tree_util.tree_leaves_with_path(w):
            if is_ref(leaf):
                raise TypeError(
                    f"`{name}` cannot differentiate with respect to "
                    f"`w{jax.tree_util.keystr(path)}`, which is a Ref: pass arrays, such "
                    "as its content, `ref[...]`"
                )

        def run(obj: object, lift: _Lift) -> object:
            inner = _on_object(swapped, lift)

            def value_and_rest(w: object) -> object:
                result, new = inner(obj, w, *args, **kwargs)
                return result[0] if has_aux else result, (result, new)

            derived = jax.value_and_grad(value_and_rest, has_aux=True, **options)
            (_, (result, new)), gradient = derived(w)
            if name == "lift.value_and_grad":
                return (result, gradient), new
            return ((gradient, result[1]) if has_aux else gradient), new

        return _run_on_object(name, draft, run)

    return call


def vmap(
    f: OnDraft[D, P, R], in_axes: Any = 0, out_axes: object = 0, **options: Any
) -> OnDraft[D, P, R]:
    """Call `f(draft, *args)` for each element, with one draft for each element.

    The first of `in_axes`, created by `plate.axes(...)`, belongs to the draft. It
    defines the axis of each field before and after the call. All elements share a field
    without an axis, so no element may write it. The rest is as in `jax.vmap`.
    """

    @functools.wraps(f)
    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        several = isinstance(in_axes, tuple | list)
        first, *rest = in_axes if several else [in_axes] * (1 + len(args))

        def run(obj: object, lift: _Lift) -> object:
            read_only = lift.read_only + state.unmapped_fields(obj, first)
            element = _on_object(f, lift._replace(read_only=read_only))
            ins, outs = (first, *rest), (out_axes, first)
            mapped = jax.vmap(element, in_axes=ins, out_axes=outs, **options)
            return mapped(obj, *args, **kwargs)

        return _run_on_object("lift.vmap", draft, run)

    return call


# --- functions of drafts as functions of objects, which JAX transforms


def _run_on_object(
    name: str, draft: state.AnyDraft, run: Callable[[Any, _Lift], Any], *rest: object
) -> Any:
    """Run a transformation of a draft's object, and write the new object back.

    `run` goes from the object and its `_Lift` to the result and the new object. The
    rest are arguments. Their structure is also part of the key of traces.
    """
    if not state.is_draft(draft):
        kind = type(draft).__qualname__
        raise TypeError(f"the first argument of `{name}` must be a draft, not a {kind}")
    obj = state.current_object(draft, f"passed to `{name}`")
    treedef = jax.tree_util.tree_structure((obj, *rest))
    structure = Structure(treedef)
    session = draft.__codegen_node__.session
    session.refusal = (
        f" while `{name}` uses the whole draft: use the draft that the function "
        "receives, or read the value into a local variable first"
    )
    refs = _without_refs(obj)[1]
    try:
        result, new = run(obj, _Lift(name, state.read_only_reasons(draft), structure))
    except Exception as error:
        if refs:
            explain_refusal(error, _paths(obj), f" in `{name}`")
        raise
    finally:
        session.refusal = ""
    state.write_back(draft, _with_refs(new, refs))
    return result


# --- Refs, which JAX does not return


class _NoRef:
    """Replaces a Ref in an object that JAX returns. It has no leaves."""


_NO_REF: Final = _NoRef()
jax.tree_util.register_pytree_node(_NoRef, lambda _: ((), None), lambda *_: _NO_REF)


def _without_refs(obj: object) -> tuple[Any, list[Any]]:
    """Replace the Refs in an object; return it and its Refs."""
    refs = [leaf for leaf in jax.tree_util.tree_leaves(obj) if is_ref(leaf)]
    if not refs:
        return obj, refs
    replace = functools.partial(
        jax.tree_util.tree_map, lambda x: _NO_REF if is_ref(x) else x
    )
    return replace(obj), refs


def _with_refs(obj: object, refs: list[Any]) -> object:
    """Put the Refs into an object again."""
    if not refs:
        return obj
    left = iter(refs)
    return jax.tree_util.tree_map(
        lambda x: next(left) if x is _NO_REF else x, obj, is_leaf=lambda x: x is _NO_REF
    )


def _paths(obj: object) -> list[tuple[str, Any]]:
    """Return the leaves of an object with their paths, such as "Cache.k"."""
    name = type(obj).__qualname__
    located = jax.tree_util.tree_leaves_with_path(obj)
    return [(f"{name}{jax.tree_util.keystr(path)}", leaf) for path, leaf in located]


def _returned(new: object, given: object, name: str) -> object:
    """Return the new object without its Refs, which must be those that it had."""
    returned, refs = _without_refs(new)
    before = [(path, leaf) for path, leaf in _paths(given) if is_ref(leaf)]
    for (path, leaf), ref in zip(before, refs, strict=False):
        if ref is not leaf:
            raise TypeError(
                f"`{path}` is another Ref after `{name}`: assign only objects that "
                "contain the Refs of the draft, or write the content, `ref[...] = value`"
            )
    return returned


# By the function's id and its transformation; removed when the function dies.
_known: Final[dict[tuple[int, _Lift], Function]] = {}


def _on_object(f: Function, lift: _Lift, refs: Sequence[Any] = ()) -> Function:
    """Return a function of objects that calls a function of drafts: its result, and the
    new object.

    There is only one while the function of drafts lives, so JAX's traces are kept. It
    refers to that function weakly, since it would otherwise never die. The caller keeps
    it alive.

    With Refs, which it puts into the object, there is one for each call.
    """
    key = id(f), lift
    if not refs and key in _known:
        return _known[key]
    held: Any = lambda: f  # noqa: E731
    with contextlib.suppress(TypeError):  # the function may not support weak references
        held = weakref.ref(f, lambda _: _known.pop(key, None))

    # JAX's errors use this name for the field that has changed: `draft.u`.
    def call(draft: Any, /, *args: object, **kwargs: object) -> object:
        draft = _with_refs(draft, [*refs])
        inner = type(draft).Draft(draft)
        state.make_read_only(inner, lift.read_only)
        result = held()(inner, *args, **kwargs)
        new = state.current_object(
            inner, "returned from the function that it was passed to"
        )
        new = _returned(new, draft, lift.name)
        inner.__codegen_node__.session.refusal = _ENDED
        if lift.name == _CONDITION:
            return result
        if lift.name == "lift.while_loop":
            if result is not None:
                what = f"but returned a {type(result).__qualname__}"
                raise TypeError(
                    f"the body of `lift.while_loop` must return None, {what}"
                )
            return new
        return (new, result) if lift.name == "lift.scan" else (result, new)

    # `functools.wraps` would keep the function alive.
    call.__name__ = getattr(f, "__name__", type(f).__name__)
    if isinstance(held, weakref.ref) and not refs:
        _known[key] = call
    return call
