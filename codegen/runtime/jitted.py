"""`jax.jit` for functions outside any schema: typed, exact, donating per field.

    @jit(static="n", donated="plate")
    def advance(plate: Plate, dt: Array, n: int = 1) -> Plate: ...

    advance(plate, dt, n=2)         # checked by type checkers as `advance` itself
    advance.keep(plate, dt)         # nothing donated

For a donated object only its donated fields are consumed; a donated array is consumed
entirely. A static argument may be any value that `Any` accepts in a schema.
"""

import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MethodType
from typing import Any, Concatenate, ParamSpec, Self, TypeAlias, TypeVar, overload

from .call import Function
from .call.errors import hidden_frames
from .keys.annotations import signature_of
from .splitting import split
from .statics.tagging import as_static

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")
Names: TypeAlias = str | Sequence[str]


class Jitted(Function[P, R]):
    """A compiled function, which becomes a method in a class."""

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(
        self: "Jitted[Concatenate[S, Q], R]", instance: S, owner: type[S] | None = None
    ) -> "Method[Q, R]": ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        return self if instance is None else Method[Any, Any](self, instance)


class Method(Function[P, R]):
    """A compiled function with its first argument bound; it shares the programs of the
    function.
    """

    def __init__(self, function: Jitted[..., R], instance: object) -> None:
        vars(self).update(vars(function))
        self.__self__ = instance
        self._method = MethodType(function, instance)
        call: Any = function._call  # noqa: SLF001
        self._call = lambda receiver, /, *args, **kwargs: call(
            receiver, instance, *args, **kwargs
        )
        vars(self)["__signature__"] = signature_of(self._method)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with hidden_frames:
            result: R = self.run(*self.split(*args, **kwargs))
            return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and self._method == other._method

    def __hash__(self) -> int:
        return hash(self._method)

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, self.__name__)


@overload
def jit(
    function: Callable[P, R],
    *,
    static: Names = (),
    donated: Names = (),
    keep_unused: bool = False,
    traces: int | None = None,
) -> Jitted[P, R]: ...
@overload
def jit(
    *,
    static: Names = (),
    donated: Names = (),
    keep_unused: bool = False,
    traces: int | None = None,
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Callable[..., Any] | None = None,
    *,
    static: Names = (),
    donated: Names = (),
    keep_unused: bool = False,
    traces: int | None = None,
) -> Any:
    """Compile a function on its first call, and keep its signature.

    Args:
        function: the function; if omitted, a decorator is returned
        static: the names of the arguments that are part of the trace key
        donated: the names of the arguments whose donated leaves are consumed
        keep_unused: `jax.jit`'s option
        traces: the number of traces after which `settings.traces` applies

    Raises:
        TypeError: a name is not a parameter of the function, or is both static and
            donated
    """
    static, donated = _names(static), _names(donated)
    if function is None:
        return functools.partial(
            jit, static=static, donated=donated, keep_unused=keep_unused, traces=traces
        )
    options = {"keep_unused": keep_unused}
    return _compile(function, static, donated, jit=options, traces=traces)


def _compile(
    function: Callable[..., Any], static: Names, donated: Names, **options: Any
) -> Jitted[..., Any]:
    signature = signature_of(function)
    names = tuple(signature.parameters)
    name: str = getattr(function, "__name__", type(function).__name__)
    for argument in (*static, *donated):
        if argument not in names:
            there = ", ".join(f"`{one}`" for one in names) or "none"
            raise TypeError(f"`{name}` has no parameter `{argument}`. It has {there}")
        if argument in static and argument in donated:
            raise TypeError(f"`{argument}` of `{name}` is both static and donated")

    @functools.wraps(function)
    def call(receiver: Any, /, *args: object, **kwargs: object) -> object:
        with hidden_frames:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            first: list[Any] = []
            second: list[Any] = []
            key: list[Hashable] = []
            for argument, value in bound.arguments.items():
                if argument in static:
                    bound.arguments[argument], tag = as_static(value, name, argument)
                else:
                    start = first if argument in donated else second
                    tag = split(value, start, second)
                key.append(tag)
            arguments = tuple(bound.arguments.values())
            return receiver.run(tuple(key), first, second, arguments)

    @functools.wraps(function)
    def run(*arguments: object) -> object:
        # All arguments come by position, including keyword arguments.
        bound = signature.bind_partial()
        bound.arguments.update(zip(names, arguments, strict=True))
        return function(*bound.args, **bound.kwargs)

    jitted = Jitted[..., Any](
        call, run, name=name, static=static, donated=donated, **options
    )
    vars(jitted)["__signature__"] = signature
    jitted.__qualname__ = getattr(function, "__qualname__", name)
    return jitted


def _names(names: Any) -> tuple[Any, ...]:
    """Return the parameter names in one name or a sequence. A value of another type is
    no parameter either.
    """
    is_several = isinstance(names, Iterable) and not isinstance(names, str)
    return tuple(names) if is_several else (names,)
