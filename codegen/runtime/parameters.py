"""Compare the parameters of an implementation with those that a schema declares.

    check_parameters(step, "heat.step(rod, rate, dt)")
    # TypeError, where it is `def step(rod, dt, rate)`: `rate` would be passed as `dt`.

Arguments are passed by position, and two of one type can be exchanged without an error.
A name that only one of the two has is accepted: library functions have their own names.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

# What asking a callable for its signature raises if it has none.
_OF_NO_SIGNATURE: Final = (TypeError, ValueError)
# The names that only the object has, or the class, which are passed first.
_OF_OBJECTS: Final = ("self", "cls")
# The implementation that was accepted last, by the declaration.
_accepted: Final[dict[str, Any]] = {}


def check_parameters(function: Callable[..., Any], declared: str) -> None:
    """Check the order of an implementation's parameters, once for each implementation.

    Args:
        function: the implementation
        declared: the declaration. Example: "heat.Rod.blend(self, /, weight, floor)",
            where the parameters in front of the slash may have any name

    Raises:
        TypeError: a declared parameter has another place in the implementation
    """
    if _accepted.get(declared) is not function:
        _check(function, declared)


def _check(function: Any, declared: str) -> None:
    # A bound method is a new object at each access.
    identity = getattr(function, "__func__", function)
    if _accepted.get(declared) is identity:
        return
    found = _parameters(function)
    fault = found and _fault(_names(declared), *found)
    if found and fault:
        named = function if hasattr(function, "__qualname__") else type(function)
        written = inspect.Signature(
            [one.replace(annotation=one.empty, default=one.empty) for one in found[0]]
        )
        raise TypeError(
            f"the schema declares `{declared}`, and the implementation is "
            f"`{named.__module__}.{named.__qualname__}{written}`. Arguments are passed by "
            f"position, so {fault}. Rename or reorder the parameters of the "
            "implementation, or write a wrapper that has the declared order"
        )
    _accepted[declared] = identity


def _names(declared: str) -> list[str]:
    """Return the declared names, "" for a parameter that may have any name."""
    names = declared.partition("(")[2].removesuffix(")").split(", ")
    return ["", *names[2:]] if "/" in names else names


def _parameters(function: Any) -> tuple[list[inspect.Parameter], bool] | None:
    """Return the parameters of a callable, and whether others may be in front of them.

    None: it takes any arguments, or has no signature.
    """
    for follow in (False, True):
        try:
            signature = inspect.signature(function, follow_wrapped=follow)
        except _OF_NO_SIGNATURE:
            continue
        parameters = [*signature.parameters.values()]
        if all(one.kind != one.VAR_POSITIONAL for one in parameters):
            return parameters, _is_shifted(function, is_wrapped=follow)
    return None


def _is_shifted(function: Any, *, is_wrapped: bool) -> bool:
    """Tell whether a callable may pass on other arguments than it is given."""
    while not isinstance(function, FunctionType):
        inner = getattr(function, "__wrapped__", getattr(function, "__func__", None))
        if isinstance(function, functools.partial):
            inner = function.func
        if inner is None:
            return is_wrapped
        function = inner
    return bool(function.__code__.co_flags & inspect.CO_VARARGS)


def _fault(
    declared: Sequence[str], parameters: Sequence[inspect.Parameter], is_shifted: bool
) -> str:
    """Say which declared parameter has another place; nothing where none has."""
    by_keyword = {one.name for one in parameters if one.kind == one.KEYWORD_ONLY}
    given = [one.name for one in parameters if one.kind < one.VAR_POSITIONAL]
    if is_shifted:
        # Only the order of the names that both have.
        declared = [name for name in declared if name in given]
        given = [name for name in given if name in declared]
    elif by_keyword & {*declared}:
        name = min(by_keyword & {*declared})
        return f"`{name}`, which it takes only by keyword, cannot be passed"
    elif not declared[0]:
        misplaced = [name for name in given[1:] if name in _OF_OBJECTS]
        if misplaced:
            return (
                f"the object would be passed as `{given[0]}`, not as `{misplaced[0]}`"
            )
        given[:1] = [""]
    for name, taken in zip(declared, given, strict=False):
        if name and name != taken and name in given:
            return f"`{name}` would be passed as `{taken}`"
    return ""
