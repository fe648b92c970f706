# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""JAX's transformations for functions that take a draft and write to it.

    def count(draft: Counter.Draft, x: Array) -> Array:
        draft.n += 1
        return x * draft.n

    draft = counter.draft()
    lift.scan(count, draft, jnp.arange(3.0))    # [0., 2., 6.]
    draft.n                                     # 3

The draft's arrays become arguments and results of the transformed function, so the
numbers are those of the functional program. The function gets a draft of its own; until
it returns the outer one is lent, and cannot be used. Traces are cached per function
object, as `jax.jit`'s are. A draft of another generated package is handed to that
package's own `lift`.
"""

import functools
from collections.abc import Callable, Sequence
from typing import (
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    TypeVar,
    TypeVarTuple,
    overload,
)

import jax
from jax import Array
from jax.typing import ArrayLike

from ..drafts.state import AnyDraft, restore
from .lifted import (
    PLAIN,
    Variant,
    branch,
    condition,
    differentiated,
    element,
    foreign_lift,
    lent,
    loop_body,
    scan_body,
    stateful,
    with_axes,
)

__all__ = [
    "checkpoint",
    "cond",
    "grad",
    "jit",
    "scan",
    "value_and_grad",
    "vmap",
    "while_loop",
]

D = TypeVar("D", bound=AnyDraft)
P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W")
X = TypeVar("X")
Aux = TypeVar("Aux")
Ts = TypeVarTuple("Ts")


def jit(
    f: Callable[Concatenate[D, P], R],
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    keep_unused: bool = False,
    inline: bool = False,
) -> Callable[Concatenate[D, P], R]:
    """Compile `f(draft, *args)`; the options are `jax.jit`'s, the draft argument 0."""

    def transformed(variant: Variant) -> Callable[..., Any]:
        return jax.jit(
            stateful(f, variant),
            static_argnums=static_argnums,
            static_argnames=static_argnames,
            donate_argnums=donate_argnums,
            keep_unused=keep_unused,
            inline=inline,
        )

    compiled = transformed(PLAIN)

    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if (other := foreign_lift(draft)) is not None:
            run = other.jit(
                f,
                static_argnums=static_argnums,
                static_argnames=static_argnames,
                donate_argnums=donate_argnums,
                keep_unused=keep_unused,
                inline=inline,
            )
            theirs: R = run(draft, *args, **kwargs)
            return theirs
        with lent(draft, "lift.jit", *args, *kwargs.values()) as (obj, variant):
            run = compiled if variant == PLAIN else transformed(variant)
            result, new = run(obj, *args, **kwargs)
        restore(draft, new)
        returned: R = result
        return returned

    return functools.wraps(f)(call)


def checkpoint(
    f: Callable[Concatenate[D, P], R],
    *,
    prevent_cse: bool = True,
    policy: Callable[..., Any] | None = None,
) -> Callable[Concatenate[D, P], R]:
    """Compute `f(draft, *args)` again in the backward pass; what it wrote counts once."""

    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if (other := foreign_lift(draft)) is not None:
            run = other.checkpoint(f, prevent_cse=prevent_cse, policy=policy)
            theirs: R = run(draft, *args, **kwargs)
            return theirs
        with lent(draft, "lift.checkpoint", *args, *kwargs.values()) as (obj, variant):
            saved = jax.checkpoint(
                stateful(f, variant), prevent_cse=prevent_cse, policy=policy
            )
            result, new = saved(obj, *args, **kwargs)
        restore(draft, new)
        returned: R = result
        return returned

    return functools.wraps(f)(call)


@overload
def scan(
    f: Callable[[D, X], R],
    draft: D,
    xs: X,
    length: int | None = None,
    *,
    reverse: bool = False,
    unroll: int | bool = 1,
) -> R: ...
@overload
def scan(
    f: Callable[[D, None], R],
    draft: D,
    xs: None = None,
    length: int | None = None,
    *,
    reverse: bool = False,
    unroll: int | bool = 1,
) -> R: ...
def scan(
    f: Callable[[D, Any], R],
    draft: D,
    xs: Any = None,
    length: int | None = None,
    *,
    reverse: bool = False,
    unroll: int | bool = 1,
) -> R:
    """Call `f(draft, x)` for each x along the first axis of xs; stack the results.

    Raises:
        DraftError: where f changes the shape or structure of a field
    """
    if (other := foreign_lift(draft)) is not None:
        theirs: R = other.scan(f, draft, xs, length, reverse=reverse, unroll=unroll)
        return theirs
    with lent(draft, "lift.scan", xs) as (obj, variant):
        new, results = jax.lax.scan(
            scan_body(f, variant), obj, xs, length, reverse=reverse, unroll=unroll
        )
    restore(draft, new)
    stacked: R = results
    return stacked


def while_loop(
    cond: Callable[[D], ArrayLike], body: Callable[[D], None], draft: D
) -> None:
    """Call `body(draft)` as long as `cond(draft)`, which may not write, is true.

    Raises:
        DraftError: where body changes the shape or structure of a field
    """
    if (other := foreign_lift(draft)) is not None:
        other.while_loop(cond, body, draft)
        return
    with lent(draft, "lift.while_loop") as (obj, variant):
        new = jax.lax.while_loop(
            condition(cond, variant), loop_body(body, variant), obj
        )
    restore(draft, new)


def cond(
    pred: ArrayLike,
    true_fun: Callable[[D, *Ts], R],
    false_fun: Callable[[D, *Ts], R],
    draft: D,
    *args: *Ts,
) -> R:
    """Call one of two functions, by a boolean that may be traced.

    Raises:
        DraftError: where one of them changes the shape or structure of a field
    """
    if (other := foreign_lift(draft)) is not None:
        theirs: R = other.cond(pred, true_fun, false_fun, draft, *args)
        return theirs
    with lent(draft, "lift.cond", *args) as (obj, variant):
        result, new = jax.lax.cond(
            pred, branch(true_fun, variant), branch(false_fun, variant), obj, *args
        )
    restore(draft, new)
    taken: R = result
    return taken


@overload
def value_and_grad(
    f: Callable[Concatenate[W, D, P], Array],
    has_aux: Literal[False] = False,
    *,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[Concatenate[W, D, P], tuple[Array, W]]: ...
@overload
def value_and_grad(
    f: Callable[Concatenate[W, D, P], tuple[Array, Aux]],
    has_aux: Literal[True],
    *,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[Concatenate[W, D, P], tuple[tuple[Array, Aux], W]]: ...
def value_and_grad(
    f: Callable[..., Any],
    has_aux: bool = False,
    *,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """Differentiate `f(w, draft, *args)` in w: the value and the gradient."""

    @functools.wraps(f)
    def call(w: Any, draft: Any, *args: Any, **kwargs: Any) -> Any:
        if (other := foreign_lift(draft)) is not None:
            run = other.value_and_grad(
                f, has_aux, holomorphic=holomorphic, allow_int=allow_int
            )
            return run(w, draft, *args, **kwargs)
        with lent(draft, "lift.value_and_grad") as (obj, variant):
            derived = jax.value_and_grad(
                differentiated(f, has_aux, variant),
                has_aux=True,
                holomorphic=holomorphic,
                allow_int=allow_int,
            )
            (value, (aux, new)), gradient = derived(w, obj, *args, **kwargs)
        restore(draft, new)
        return ((value, aux) if has_aux else value), gradient

    return call


@overload
def grad(
    f: Callable[Concatenate[W, D, P], Array],
    has_aux: Literal[False] = False,
    *,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[Concatenate[W, D, P], W]: ...
@overload
def grad(
    f: Callable[Concatenate[W, D, P], tuple[Array, Aux]],
    has_aux: Literal[True],
    *,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[Concatenate[W, D, P], tuple[W, Aux]]: ...
def grad(
    f: Callable[..., Any],
    has_aux: bool = False,
    *,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """Differentiate `f(w, draft, *args)` in w: the gradient."""

    @functools.wraps(f)
    def call(w: Any, draft: Any, *args: Any, **kwargs: Any) -> Any:
        if (other := foreign_lift(draft)) is not None:
            run = other.grad(f, has_aux, holomorphic=holomorphic, allow_int=allow_int)
            return run(w, draft, *args, **kwargs)
        with lent(draft, "lift.grad") as (obj, variant):
            derived = jax.grad(
                differentiated(f, has_aux, variant),
                has_aux=True,
                holomorphic=holomorphic,
                allow_int=allow_int,
            )
            gradient, (aux, new) = derived(w, obj, *args, **kwargs)
        restore(draft, new)
        return (gradient, aux) if has_aux else gradient

    return call


def vmap(
    f: Callable[Concatenate[D, P], R],
    in_axes: Any = 0,
    out_axes: Any = 0,
    *,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
) -> Callable[Concatenate[D, P], R]:
    """Call `f(draft, *args)` for each element: one draft an element.

    Args:
        f: the function
        in_axes: as `jax.vmap`'s; the first, made by `plate.axes(...)`, is the draft's,
            and says where its fields have the axis before and after. A field without
            is one for all elements, so that none may write it.
        out_axes: as `jax.vmap`'s, for f's results
        axis_name: as `jax.vmap`'s
        axis_size: as `jax.vmap`'s
        spmd_axis_name: as `jax.vmap`'s
    """

    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if (other := foreign_lift(draft)) is not None:
            run = other.vmap(
                f,
                in_axes,
                out_axes,
                axis_name=axis_name,
                axis_size=axis_size,
                spmd_axis_name=spmd_axis_name,
            )
            theirs: R = run(draft, *args, **kwargs)
            return theirs
        with lent(draft, "lift.vmap") as (obj, variant):
            leaves, axes, rest = with_axes(obj, in_axes, len(args))
            treedef = jax.tree_util.tree_structure(obj)
            mapped = jax.vmap(
                element(f, treedef, axes, variant.marks),
                in_axes=(axes, *rest),
                out_axes=(out_axes, [axis for axis in axes if axis is not None]),
                axis_name=axis_name,
                axis_size=axis_size,
                spmd_axis_name=spmd_axis_name,
            )
            result, changed = mapped(leaves, *args, **kwargs)
            new = iter(changed)
            kept = zip(axes, leaves, strict=True)
            merged = [leaf if axis is None else next(new) for axis, leaf in kept]
            made = jax.tree_util.tree_unflatten(treedef, merged)
        restore(draft, made)
        returned: R = result
        return returned

    return functools.wraps(f)(call)
