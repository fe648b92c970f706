# pyright: reportUnknownVariableType=false
"""`jax.jit` for functions outside any schema: typed, exact, donating per field.

    @jit(static="n", donated="plate")
    def advance(plate: Plate, dt: Array, n: int = 1) -> Plate: ...

    advance(plate, dt, n=2)         # checked by type checkers as `advance` itself
    advance.keep(plate, dt)         # nothing donated

Of a donated object its donated fields are consumed, and of a donated array all. What
may be static is what `Any` takes in a schema.
"""

import inspect
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MethodType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast, overload

from .call.functions import Bound, Function
from .classes.split import split
from .keys.messages import shown
from .keys.tags import as_static

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
S = TypeVar("S")


class Jitted(Function[P, R]):
    """A compiled function, which in a class is a method."""

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(
        self: "Jitted[Concatenate[S, Q], R]", instance: S, owner: type[S] | None = None
    ) -> "Method[Q, R]": ...
    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        method: Any = Method.of(self, instance)
        return method


class Method(Function[P, R]):
    """A compiled function whose first argument is given.

    It shares all with the function, the compiled programs too, except the arguments.
    """

    __self__: object
    __func__: Function[..., Any]

    @classmethod
    def of(cls, function: Jitted[..., Any], instance: object) -> Self:
        """Give a function its first argument."""
        method = cls.__new__(cls)
        vars(method).update(vars(function))
        method.__self__ = instance
        method.__func__ = function
        method._bind = MethodType(function._bind, instance)  # noqa: SLF001
        return method

    def _declared(self) -> inspect.Signature:
        full: inspect.Signature = self.__func__._declared()  # noqa: SLF001
        return full.replace(parameters=list(full.parameters.values())[1:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Method):
            return NotImplemented
        return self.__func__ is other.__func__ and self.__self__ is other.__self__

    def __hash__(self) -> int:
        return hash((id(self.__func__), id(self.__self__)))

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, self.__name__)


@overload
def jit(
    function: Callable[P, R],
    *,
    static: str | Sequence[str] = (),
    donated: str | Sequence[str] = (),
    keep_unused: bool = False,
) -> Jitted[P, R]: ...
@overload
def jit(
    *,
    static: str | Sequence[str] = (),
    donated: str | Sequence[str] = (),
    keep_unused: bool = False,
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...
def jit(
    function: Callable[P, R] | None = None,
    *,
    static: str | Sequence[str] = (),
    donated: str | Sequence[str] = (),
    keep_unused: bool = False,
) -> Jitted[P, R] | Callable[[Callable[P, R]], Jitted[P, R]]:
    """Compile a function when it is called, keeping its signature.

    Args:
        function: the function; without it, a decorator is returned
        static: the names of the arguments that are part of the trace key
        donated: the names of the arguments whose donated leaves are consumed
        keep_unused: `jax.jit`'s option

    Raises:
        TypeError: a name is no parameter of the function, or both static and donated
    """
    fixed = _names("static", static)
    given = _names("donated", donated)

    def decorate(function: Callable[P, R]) -> Jitted[P, R]:
        return _compile(function, fixed, given, keep_unused=keep_unused)

    return decorate if function is None else decorate(function)


def _compile(
    function: Callable[P, R],
    static: tuple[str, ...],
    donated: tuple[str, ...],
    *,
    keep_unused: bool,
) -> Jitted[P, R]:
    signature = inspect.signature(function)
    name: str = getattr(function, "__name__", type(function).__name__)
    _require_names(name, signature, static, donated)
    jitted = Jitted(
        _binder(function, name, signature, static, donated),
        _implementation(function, signature),
        name=name,
        static=static,
        donated=donated,
        keep_unused=keep_unused,
        signature=signature,
        # Nothing is declared of what is no field of an object.
        weak=tuple(signature.parameters),
    )
    jitted.__qualname__ = getattr(function, "__qualname__", name)
    return jitted


def _binder(
    function: Callable[P, R],
    name: str,
    signature: inspect.Signature,
    static: tuple[str, ...],
    donated: tuple[str, ...],
) -> Callable[P, Bound]:
    def bind(*args: P.args, **kwargs: P.kwargs) -> Bound:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        first: list[Any] = []
        second: list[Any] = []
        key: list[Hashable] = []
        arguments: list[Any] = []
        for argument, given in bound.arguments.items():
            if argument in static:
                value, tag = as_static(given, name, argument)
            else:
                value = given
                tag = split(given, first if argument in donated else second, second)
            arguments.append(value)
            key.append(tag)
        return tuple(key), first, second, tuple(arguments)

    bind.__module__ = function.__module__
    bind.__doc__ = function.__doc__
    bind.__signature__ = signature  # type: ignore[attr-defined]
    return bind


def _implementation(
    function: Callable[..., R], signature: inspect.Signature
) -> Callable[..., R]:
    """Return the function as one that takes all arguments by position."""
    names = tuple(signature.parameters)

    def call(*arguments: Any) -> R:
        bound = signature.bind_partial()
        bound.arguments.update(zip(names, arguments, strict=True))
        return function(*bound.args, **bound.kwargs)

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def _names(option: str, given: Any) -> tuple[str, ...]:
    """Take one name of a parameter, or several."""
    several = not isinstance(given, str) and isinstance(given, Iterable)
    names: list[Any] = list(cast("Iterable[Any]", given)) if several else [given]
    if all(isinstance(name, str) for name in names):
        return tuple(names)
    raise TypeError(
        f'`{option}` of `jit` takes names of parameters, as `{option}="state"` or '
        f'`{option}=("state", "data")`, but was given {shown(given)}'
    )


def _require_names(
    name: str,
    signature: inspect.Signature,
    static: tuple[str, ...],
    donated: tuple[str, ...],
) -> None:
    for argument in (*static, *donated):
        if argument not in signature.parameters:
            there = ", ".join(f"`{one}`" for one in signature.parameters) or "none"
            raise TypeError(f"`{name}` has no parameter `{argument}`; it has {there}")
        if argument in static and argument in donated:
            raise TypeError(f"`{argument}` of `{name}` is both static and donated")
