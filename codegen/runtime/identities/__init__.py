"""Keep through a transformation which objects are the same object.

    @preserve_identities(jax.jit)
    def f(first, second):
        assert first is second
        return first, second

    one, other = f(m, m)        # one is other

For aliasing that no schema declares; what `share(...)` declares needs no wrapper. It
tells apart objects of generated classes, and arrays; never tuples, `None` or numbers.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar, cast

import jax

from ..keys.names import is_generated
from .graphs import Writing, missing, read

F = TypeVar("F", bound=Callable[..., Any])
# What a transformation is called with, by name; None: it is none of JAX's, and unknown.
Options: TypeAlias = Mapping[str, Any] | None


def preserve_identities(transform: F) -> F:
    """Make a transformation keep which objects are the same object.

    Inside the function, arguments that are one object are one object, and so are parts
    of them; and outside, results that are one object inside. Which ones are is part of
    the trace key. To JAX each object is there once, at its first place, which carries
    gradient and axis; a gradient has the places that the argument has.

    The function that is made raises a ValueError for objects that are part of
    themselves, and where `argnums` names an object only at its later places.

    Args:
        transform: from a function to a function: `jax.jit`, `jax.vmap`, `jax.grad`,
            `jax.checkpoint`, ..., or a `functools.partial` of one. In a function of
            your own, a result `value, aux` whose value is a number is told apart as
            for `has_aux`
    """

    @functools.wraps(transform)
    def transformed(*options: Any, **named: Any) -> Any:
        if not options:
            return functools.partial(transformed, **named)
        function, *rest = options
        known = _read_options(transform, rest, named)
        outer = transform(_inside(function, known), *rest, **named)
        if not callable(outer):
            name = getattr(transform, "__name__", "transform")
            raise TypeError(
                "`preserve_identities` takes what makes a function of a function, but "
                f"`{name}` made a {type(outer).__name__}: give it `lambda f: "
                f"functools.partial({name}, f)`, if what that carries has nothing twice"
            )
        return _outside(outer, known)

    return cast("F", transformed)


def _inside(function: Callable[..., Any], known: Options) -> Callable[..., Any]:
    """Return a function from written arguments to a written result."""
    deep = _is_deep(known)
    # Whether it returns a value and something else; None: unknown.
    has_aux = None if known is None else bool(known.get("has_aux"))

    def written(result: Any) -> Any:
        return Writing([result], ["result"], deep).written[0]

    @functools.wraps(function, updated=())
    def inner(*args: Any, **kwargs: Any) -> Any:
        *given, named = read([*args, kwargs], lambda _: "an argument")
        result = function(*given, **named)
        if type(result) is tuple and len(result) == 2 and has_aux is not False:
            value, aux = result
            if has_aux or getattr(value, "shape", None) == ():
                return written(value), written(aux)
        return written(result)

    return inner


def _outside(function: Callable[..., Any], known: Options) -> Callable[..., Any]:
    """Return a function that writes its arguments and reads the result."""
    deep = _is_deep(known)

    @functools.wraps(function, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        places = [f"args[{number}]" for number in range(len(args))]
        writing = Writing([*args, kwargs], [*places, "kwargs"], deep)
        _require_first(writing, known or {}, len(args))
        *given, named = writing.written
        return read(function(*given, **named), writing.name)

    for name in ("lower", "trace", "eval_shape", "clear_cache"):
        found = getattr(function, name, None)
        if found is not None:
            # What a compiled function has besides; its stages take the same arguments.
            is_stage = name != "clear_cache"
            setattr(call, name, _outside(found, known) if is_stage else found)
    return call


def _require_first(writing: Writing, known: Mapping[str, Any], count: int) -> None:
    """Refuse arguments whose first place does not carry what the later ones are to.

    An axis of None, or a tree of them, contradicts nothing. `count` arguments are given
    by position.
    """
    given, axes = known.get("argnums", ()), known.get("in_axes")
    numbers = (given,) if isinstance(given, int) else given
    argnums = {number % count for number in numbers if count}
    axes = axes if isinstance(axes, tuple | list) and len(axes) == count else ()
    for first, later in writing.crossing:
        one, other = first[0], later[0]
        if other in argnums and one not in argnums:
            raise missing(writing.name(first), writing.name(later))
        both = [axes[number] for number in (one, other) if number < len(axes)]
        if len({axis for axis in both if isinstance(axis, int)}) > 1:
            raise ValueError(
                f"{writing.name(later)} is the same object as {writing.name(first)}, but "
                f"`in_axes` maps it along {both[1]} and {both[0]}: pass a copy, or one axis"
            )


def _read_options(
    transform: Callable[..., Any], rest: list[Any], named: Mapping[str, Any]
) -> Options:
    """Return what a transformation of JAX's own is called with; None of any other."""
    whole = functools.partial(transform)  # of partials, one with all arguments
    module = getattr(whole.func, "__module__", None) or ""
    if module.partition(".")[0] != "jax":
        return None
    # In the place of the function stands None.
    given, named = (*whole.args, None, *rest), {**whole.keywords, **named}
    bound = inspect.signature(whole.func).bind_partial(*given, **named)
    bound.apply_defaults()
    return bound.arguments


def _is_deep(known: Options) -> bool:
    """Tell whether there may be trees of axes or shardings with objects in them."""
    leaves = jax.tree_util.tree_leaves(known, is_leaf=is_generated)
    return known is None or any(map(is_generated, leaves))
