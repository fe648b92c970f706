# mypy: disable-error-code="no-any-return"
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
it returns the outer one is lent, and cannot be used. In `scan`, `while_loop` and `cond`
every field keeps its shape, dtype and structure: anything else is a DraftError. Traces
are cached per function object, as `jax.jit`'s are. Options are those of JAX's own.
"""

import functools
from collections.abc import Callable, Sequence
from typing import (
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    TypedDict,
    TypeVar,
    TypeVarTuple,
    Unpack,
    overload,
)

import jax
from jax import Array
from jax.typing import ArrayLike

from ..drafts.state import AnyDraft
from .functions import CONDITION, Function, Lift, lifted, stateful, unmapped

D = TypeVar("D", bound=AnyDraft)
P = ParamSpec("P")
R = TypeVar("R")
W = TypeVar("W")
X = TypeVar("X")
Aux = TypeVar("Aux")
Ts = TypeVarTuple("Ts")


class JitOptions(TypedDict, total=False):
    # The draft is argument 0.
    static_argnums: int | Sequence[int] | None
    static_argnames: str | Sequence[str] | None
    donate_argnums: int | Sequence[int] | None
    keep_unused: bool
    inline: bool


class CheckpointOptions(TypedDict, total=False):
    prevent_cse: bool
    policy: Callable[..., Any] | None


class ScanOptions(TypedDict, total=False):
    reverse: bool
    unroll: int | bool


class GradOptions(TypedDict, total=False):
    holomorphic: bool
    allow_int: bool


class VmapOptions(TypedDict, total=False):
    axis_name: Any
    axis_size: int | None
    spmd_axis_name: Any


def jit(
    f: Callable[Concatenate[D, P], R], **options: Unpack[JitOptions]
) -> Callable[Concatenate[D, P], R]:
    """Compile `f(draft, *args)`."""
    return _transformed("lift.jit", f, functools.partial(jax.jit, **options))


def checkpoint(
    f: Callable[Concatenate[D, P], R], **options: Unpack[CheckpointOptions]
) -> Callable[Concatenate[D, P], R]:
    """Compute `f(draft, *args)` again in the backward pass; what it wrote counts once."""
    transform = functools.partial(jax.checkpoint, **options)
    return _transformed("lift.checkpoint", f, transform)


def _transformed(
    name: str, f: Callable[Concatenate[D, P], R], transform: Callable[[Function], Any]
) -> Callable[Concatenate[D, P], R]:
    @functools.cache
    def transformed(lift: Lift) -> Any:
        return transform(stateful(f, lift))

    @functools.wraps(f)
    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        def run(obj: Any, lift: Lift) -> Any:
            return transformed(lift)(obj, *args, **kwargs)

        return lifted(name, draft, run, *args, *kwargs.values())

    return call


@overload
def scan(
    f: Callable[[D, X], R],
    draft: D,
    xs: X,
    length: int | None = None,
    **options: Unpack[ScanOptions],
) -> R: ...
@overload
def scan(
    f: Callable[[D, None], R],
    draft: D,
    xs: None = None,
    length: int | None = None,
    **options: Unpack[ScanOptions],
) -> R: ...
def scan(
    f: Function, draft: Any, xs: Any = None, length: int | None = None, **options: Any
) -> Any:
    """Call `f(draft, x)` for each x along the first axis of xs; stack the results."""

    def run(obj: Any, lift: Lift) -> Any:
        new, results = jax.lax.scan(stateful(f, lift), obj, xs, length, **options)
        return results, new

    return lifted("lift.scan", draft, run, xs)


def while_loop(
    cond: Callable[[D], ArrayLike], body: Callable[[D], None], draft: D
) -> None:
    """Call `body(draft)` as long as `cond(draft)`, which may not write, is true."""

    def run(obj: Any, lift: Lift) -> Any:
        reason = f"{CONDITION} may not write: write in the body"
        reading = lift._replace(name=CONDITION, read_only=(((), reason),))
        loop = stateful(cond, reading), stateful(body, lift)
        return None, jax.lax.while_loop(*loop, obj)

    lifted("lift.while_loop", draft, run)


def cond(
    pred: ArrayLike,
    true_fun: Callable[[D, *Ts], R],
    false_fun: Callable[[D, *Ts], R],
    draft: D,
    *args: *Ts,
) -> R:
    """Call one of two functions, by a boolean that may be traced."""

    def run(obj: Any, lift: Lift) -> Any:
        branches = stateful(true_fun, lift), stateful(false_fun, lift)
        return jax.lax.cond(pred, *branches, obj, *args)

    return lifted("lift.cond", draft, run, *args)


@overload
def value_and_grad(
    f: Callable[Concatenate[W, D, P], Array],
    has_aux: Literal[False] = False,
    **options: Unpack[GradOptions],
) -> Callable[Concatenate[W, D, P], tuple[Array, W]]: ...
@overload
def value_and_grad(
    f: Callable[Concatenate[W, D, P], tuple[Array, Aux]],
    has_aux: Literal[True],
    **options: Unpack[GradOptions],
) -> Callable[Concatenate[W, D, P], tuple[tuple[Array, Aux], W]]: ...
def value_and_grad(f: Function, has_aux: bool = False, **options: Any) -> Function:
    """Differentiate `f(w, draft, *args)` in w: the value and the gradient."""
    return _derivative("lift.value_and_grad", f, has_aux, options)


@overload
def grad(
    f: Callable[Concatenate[W, D, P], Array],
    has_aux: Literal[False] = False,
    **options: Unpack[GradOptions],
) -> Callable[Concatenate[W, D, P], W]: ...
@overload
def grad(
    f: Callable[Concatenate[W, D, P], tuple[Array, Aux]],
    has_aux: Literal[True],
    **options: Unpack[GradOptions],
) -> Callable[Concatenate[W, D, P], tuple[W, Aux]]: ...
def grad(f: Function, has_aux: bool = False, **options: Any) -> Function:
    """Differentiate `f(w, draft, *args)` in w: the gradient."""
    return _derivative("lift.grad", f, has_aux, options)


def _derivative(name: str, f: Function, has_aux: bool, options: Any) -> Function:
    def swapped(draft: AnyDraft, w: Any, *args: Any, **kwargs: Any) -> Any:
        return f(w, draft, *args, **kwargs)

    @functools.wraps(f)
    def call(w: Any, draft: AnyDraft, *args: Any, **kwargs: Any) -> Any:
        def run(obj: Any, lift: Lift) -> Any:
            inner = stateful(swapped, lift)

            def value_and_rest(w: Any) -> Any:
                result, new = inner(obj, w, *args, **kwargs)
                return result[0] if has_aux else result, (result, new)

            derived = jax.value_and_grad(value_and_rest, has_aux=True, **options)
            (_, (result, new)), gradient = derived(w)
            if name == "lift.value_and_grad":
                return (result, gradient), new
            return ((gradient, result[1]) if has_aux else gradient), new

        return lifted(name, draft, run)

    return call


def vmap(
    f: Callable[Concatenate[D, P], R],
    in_axes: Any = 0,
    out_axes: Any = 0,
    **options: Unpack[VmapOptions],
) -> Callable[Concatenate[D, P], R]:
    """Call `f(draft, *args)` for each element: one draft an element.

    The first of `in_axes`, made by `plate.axes(...)`, is the draft's, and says where
    its fields have the axis before and after. A field without is one for all elements,
    so that none may write it. The rest is as `jax.vmap`'s.
    """

    @functools.wraps(f)
    def call(draft: D, /, *args: P.args, **kwargs: P.kwargs) -> R:
        several = isinstance(in_axes, tuple | list)
        first, *rest = in_axes if several else [in_axes] * (1 + len(args))

        def run(obj: Any, lift: Lift) -> Any:
            read_only = lift.read_only + unmapped(obj, first)
            element = stateful(f, lift._replace(read_only=read_only))
            ins, outs = (first, *rest), (out_axes, first)
            mapped = jax.vmap(element, in_axes=ins, out_axes=outs, **options)
            return mapped(obj, *args, **kwargs)

        return lifted("lift.vmap", draft, run)

    return call
