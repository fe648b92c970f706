# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
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
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import jax

from ..keys.names import is_generated
from .nodes import seen
from .reading import Reader, require_first, require_one_axis
from .writing import Writer

__all__ = ["preserve_identities"]

F = TypeVar("F", bound=Callable[..., Any])


class _Options(NamedTuple):
    """What is known of a transformation."""

    # Whether the function returns a value and something else; None: unknown.
    has_aux: bool | None
    # Whether there may be trees of axes or shardings with objects in them.
    deep: bool
    # The arguments that are differentiated.
    argnums: tuple[int, ...] = ()
    # Along which axis each argument is mapped, where that differs.
    axes: tuple[Any, ...] = ()


def preserve_identities(transform: F) -> F:
    """Make a transformation keep which objects are the same object.

    Inside the function, arguments that are one object are one object, and so are parts
    of them; and outside, results that are one object inside. Which ones are is part of
    the trace key. To JAX each object is there once, at its first place, which carries
    gradient and axis; a gradient has the places that the argument has.

    Args:
        transform: from a function to a function: `jax.jit`, `jax.vmap`, `jax.grad`,
            `jax.checkpoint`, ..., or a `functools.partial` of one. In a function of
            your own, a result `value, aux` whose value is a number is told apart as
            for `has_aux`

    Returns:
        The transformation, to be called as it was before. The function that it returns
        raises a ValueError for objects that are part of themselves, and where `argnums`
        names an object only at its later places.
    """

    @functools.wraps(transform)
    def transformed(*options: Any, **named: Any) -> Any:
        if not options:
            return functools.partial(transformed, **named)
        function, *rest = options
        known = _read_options(transform, rest, named)
        inner = _inside(function, known)
        outer = transform(inner, *rest, **named)
        if not callable(outer):
            raise _no_function(transform, outer)
        return _outside(outer, known)

    return cast("F", transformed)


def _no_function(transform: Any, found: object) -> TypeError:
    name = getattr(transform, "__name__", "transform")
    return TypeError(
        f"`preserve_identities` takes what makes a function of a function, but `{name}` "
        f"made a {type(found).__name__}: write `preserve_identities(lambda f: "
        f"functools.partial({name}, f))`, if what it carries along has nothing twice"
    )


def _inside(function: Callable[..., Any], known: _Options) -> Callable[..., Any]:
    """Return a function from written arguments to a written result."""
    reader, writer = Reader(), Writer(deep=known.deep)

    def written(result: Any) -> Any:
        return writer.write((result,), ("result",))[0]

    @functools.wraps(function, updated=())
    def inner(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = _changed(reader.read, args, kwargs)
        result = function(*args, **kwargs)
        if _is_with_aux(result, known.has_aux):
            value, aux = result
            return written(value), written(aux)
        return written(result)

    return inner


def _outside(function: Callable[..., Any], known: _Options) -> Callable[..., Any]:
    """Return a function that writes its arguments and reads the result."""
    reader, writer = Reader(), Writer(deep=known.deep)

    @functools.wraps(function, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        before = seen.count
        paths = [f"args[{position}]" for position in range(len(args))]
        paths += [f"kwargs[{name!r}]" for name in sorted(kwargs)]
        args, kwargs = _changed(lambda trees: writer.write(trees, paths), args, kwargs)
        if seen.count != before:
            require_first([args[i] for i in known.argnums if i < len(args)])
            if len(known.axes) == len(args):
                require_one_axis(args, known.axes)
        result = function(*args, **kwargs)
        return reader.read(result) if seen.count != before else result

    for name in ("lower", "trace", "eval_shape", "clear_cache"):
        found = getattr(function, name, None)
        if found is not None:
            # What a compiled function has besides; its stages take the same arguments.
            is_stage = name != "clear_cache"
            setattr(call, name, _outside(found, known) if is_stage else found)
    return call


def _changed(
    change: Callable[[tuple[Any, ...]], Sequence[Any]],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Read or write all arguments together; those by name are in the order of names."""
    names = sorted(kwargs)
    changed = change((*args, *(kwargs[name] for name in names)))
    count = len(args)
    return tuple(changed[:count]), dict(zip(names, changed[count:], strict=True))


def _is_with_aux(result: Any, has_aux: bool | None) -> bool:
    if type(result) is not tuple or len(result) != 2 or has_aux is False:
        return False
    if has_aux is None:
        return getattr(result[0], "shape", None) == ()
    return True


def _read_options(
    transform: Callable[..., Any], rest: list[Any], named: Mapping[str, Any]
) -> _Options:
    """Read what a transformation is called with; of JAX's own it is known."""
    first: list[Any] = []
    while isinstance(transform, functools.partial):
        first = [*transform.args, *first]
        named = {**transform.keywords, **named}
        transform = transform.func
    module = getattr(transform, "__module__", None) or ""
    if module.partition(".")[0] != "jax":
        return _Options(None, deep=True)
    values = jax.tree_util.tree_leaves((first, rest, named), is_leaf=is_generated)
    deep = any(map(is_generated, values))
    signature = inspect.signature(transform)
    bound = signature.bind_partial(*first, None, *rest, **named)
    bound.apply_defaults()
    argnums = bound.arguments.get("argnums", ())
    axes = bound.arguments.get("in_axes")
    return _Options(
        bool(bound.arguments.get("has_aux", False)),
        deep,
        (argnums,) if isinstance(argnums, int) else tuple(argnums),
        tuple(axes) if isinstance(axes, tuple | list) else (),
    )
