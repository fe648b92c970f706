# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Bring containers and unions of arrays and objects to what is declared of them.

Put together once at import:

    _codegen_Stack_layers: Final = dynamic_tuple(dynamic_array("float32"))
    layers = _codegen_Stack_layers(layers, type(self), "layers")
"""

from collections.abc import Callable
from typing import Any

from .classes.arrays import (
    CONVERTED,
    Convert,
    as_argument,
    as_array,
    as_part,
    as_result,
    as_scalar,
    is_weak,
)
from .keys.messages import Owner, mistyped, remedies


def dynamic_array(declared: str) -> Convert:
    """Convert an array in a field."""
    return _array(as_array, declared)


def dynamic_argument(declared: str) -> Convert:
    """Convert an array in an argument of a function."""
    return _array(as_argument, declared)


def _array(take: Callable[[Any, str, Owner, str], Any], declared: str) -> Convert:
    def convert(value: Any, owner: Owner, path: str) -> Any:
        if type(value) in CONVERTED or is_weak(value):
            return take(value, declared, owner, path)
        return value

    return convert


def dynamic_result(declared: str) -> Convert:
    """Convert an array in what a function returns."""
    return lambda value, owner, path: as_result(value, declared, owner, path)


def dynamic_scalar(kind: type[Any]) -> Convert:
    """Convert a weakly typed scalar."""
    return lambda value, owner, path: as_scalar(value, kind, owner, path)


def dynamic_part(kind: type[Any]) -> Convert:
    """Convert an object of a generated class."""
    return lambda value, owner, path: as_part(value, kind, owner, path)


def dynamic_any(value: Any, owner: Owner, path: str) -> Any:
    """Take any pytree as it is."""
    return value


def dynamic_none(value: Any, owner: Owner, path: str) -> None:
    """Take None."""
    if value is not None:
        raise mistyped(value, owner, path, "None")


def dynamic_tuple(item: Convert) -> Convert:
    """Convert `tuple[T, ...]`."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, ...]:
        if type(value) is not tuple:
            remedy = "use a tuple" if isinstance(value, list) else ""
            raise mistyped(value, owner, path, "a tuple", remedy)
        return tuple(_each(value, item, owner, path))

    return convert


def dynamic_items(*items: Convert) -> Convert:
    """Convert `tuple[A, B]`: one converter an item."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, ...]:
        if type(value) is not tuple or len(value) != len(items):
            remedy = "use a tuple" if isinstance(value, list) else ""
            raise mistyped(value, owner, path, f"a tuple of {len(items)}", remedy)
        pairs = enumerate(zip(items, value, strict=True))
        return tuple(item(part, owner, f"{path}[{i}]") for i, (item, part) in pairs)

    return convert


def dynamic_list(item: Convert) -> Convert:
    """Convert `list[T]`; the field has a list of its own."""

    def convert(value: Any, owner: Owner, path: str) -> list[Any]:
        if type(value) is not list:
            remedy = "use a list" if isinstance(value, tuple) else ""
            raise mistyped(value, owner, path, "a list", remedy)
        return _each(value, item, owner, path)

    return convert


def dynamic_dict(item: Convert) -> Convert:
    """Convert `dict[K, V]`; the field has a dict of its own."""

    def convert(value: Any, owner: Owner, path: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise mistyped(value, owner, path, "a dict", "give a plain dict")
        return {
            key: item(part, owner, f"{path}[{key!r}]") for key, part in value.items()
        }

    return convert


def dynamic_union(*options: Convert) -> Convert:
    """Convert `A | B | ...`: the first alternative that takes the value."""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        errors: list[Exception] = []
        for option in options:
            try:
                return option(value, owner, path)
            except (TypeError, ValueError) as error:
                errors.append(error)
        raise _none_of(errors, value, owner, path)

    return convert


def _none_of(errors: list[Any], value: object, owner: Owner, path: str) -> Any:
    """Return the error for a value that none of a union's alternatives takes.

    Where one of them takes a value of this type, its own error says what is wrong inside.
    """
    for error in errors:
        if getattr(error, "refusal", ("",))[0] != path:
            return error
    expected = " or ".join(dict.fromkeys(error.refusal[1] for error in errors))
    return mistyped(value, owner, path, expected, remedies(errors))


def _each(value: Any, item: Convert, owner: Owner, path: str) -> list[Any]:
    return [item(part, owner, f"{path}[{i}]") for i, part in enumerate(value)]
