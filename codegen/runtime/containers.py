"""Bring containers and unions of arrays and objects to what is declared of them.

Put together once at import:

    _codegen_Stack_layers: Final = dynamic_tuple(dynamic_array("float32"))
    layers = _codegen_Stack_layers(layers, cls, "layers")
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from .classes.arrays import CONVERTED, as_argument, as_array, is_weak
from .keys.messages import Owner, mistyped
from .objects import Convert, as_foreign, as_part, as_result, as_scalar, remedies
from .shapes.check import SCALARS
from .shapes.declared import AnyOf, Each, Items, Part, Shaped, Weak

# Sequences of numbers or letters.
_TEXTS: Final = (str, bytes, bytearray, memoryview)
# Of the keys of a dict a shape says nothing: those of NumPy are numbers of Python.
_KEYS: Final = SimpleNamespace(
    convert=lambda key, *_: (key.item() if isinstance(key, np.generic) else key, key)
)


def _maker(
    take: Callable[[Any, Any, Owner, str], Any], *, keeps_arrays: bool = False
) -> Callable[[Any], Convert]:
    """Return what makes the converter to a dtype or a class."""

    def make(declared: Any) -> Convert:
        def convert(value: Any, owner: Owner, path: str) -> Any:
            if keeps_arrays and type(value) not in CONVERTED and not is_weak(value):
                return value
            return take(value, declared, owner, path)

        return convert

    return make


# Of arrays in fields, in arguments and in what a function returns.
dynamic_array: Final = _maker(as_array, keeps_arrays=True)
dynamic_argument: Final = _maker(as_argument, keeps_arrays=True)
dynamic_result: Final = _maker(as_result)
# Of weakly typed scalars, of objects of generated classes, and of types from outside.
dynamic_scalar: Final = _maker(as_scalar)
dynamic_part: Final = _maker(as_part)
dynamic_foreign: Final = _maker(as_foreign)


def dynamic_any(value: Any, owner: Owner, path: str) -> Any:
    """Take any pytree as it is."""
    return value


def dynamic_none(value: Any, owner: Owner, path: str) -> None:
    """Take None."""
    if value is not None:
        raise mistyped(value, owner, path, "None")


def dynamic_tuple(item: Convert) -> Convert:
    """Convert `tuple[T, ...]`."""
    return _sequence(tuple, itertools.repeat(item))


def dynamic_items(*items: Convert) -> Convert:
    """Convert `tuple[A, B]`: one converter an item."""
    return _sequence(tuple, items, len(items))


def dynamic_list(item: Convert) -> Convert:
    """Convert `list[T]`; the field has a list of its own."""
    return _sequence(list, itertools.repeat(item))


def _sequence(
    kind: type[Any], items: Iterable[Convert], length: int | None = None
) -> Convert:
    expected = f"a {kind.__name__}" + (f" of {length}" if length is not None else "")

    def convert(value: Any, owner: Owner, path: str) -> Any:
        if type(value) is not kind or length not in (None, len(value)):
            is_other = type(value) in {tuple, list} - {kind}
            remedy = f"use a {kind.__name__}" if is_other else ""
            raise mistyped(value, owner, path, expected, remedy)
        pairs = enumerate(zip(items, value, strict=False))
        return kind([item(part, owner, f"{path}[{i}]") for i, (item, part) in pairs])

    return convert


def dynamic_dict(key: Any, item: Convert) -> Convert:
    """Convert `dict[K, V]` to a dict of its own; `key` converts as static values do."""

    def convert(value: Any, owner: Owner, path: str) -> dict[Any, Any]:
        if type(value) is not dict:
            raise mistyped(value, owner, path, "a dict", "give a plain dict")
        keys = [key.convert(name, owner, f"{path}.keys()")[0] for name in value]
        items = [item(part, owner, f"{path}[{name!r}]") for name, part in value.items()]
        return dict(zip(keys, items, strict=True))

    return convert


def dynamic_sequence(item: Convert) -> Convert:
    """Convert `Sequence[T]`: any sequence but a text, to a tuple."""
    as_tuple = dynamic_tuple(item)

    def convert(value: Any, owner: Owner, path: str) -> Any:
        if isinstance(value, Sequence) and not isinstance(value, _TEXTS):
            value = tuple(value)
        return as_tuple(value, owner, path)

    return convert


def dynamic_mapping(key: Any, item: Convert) -> Convert:
    """Convert `Mapping[K, V]`: any mapping, to a dict of the same order."""
    as_dict = dynamic_dict(key, item)

    def convert(value: Any, owner: Owner, path: str) -> Any:
        if isinstance(value, Mapping):
            value = dict(value)
        return as_dict(value, owner, path)

    return convert


def dynamic_union(*options: Convert) -> Convert:
    """Convert `A | B | ...`: the first alternative that takes the value."""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        errors: list[Any] = []
        for option in options:
            try:
                return option(value, owner, path)
            except (TypeError, ValueError) as error:
                errors.append(error)
        remedy = remedies(errors, path)
        expected = " or ".join(dict.fromkeys(found.refusal[1] for found in errors))
        raise mistyped(value, owner, path, expected, remedy)

    return convert


def converter_of(shape: Any) -> Convert:
    """Return what brings values to a shape; all else it takes as it is."""
    match shape:
        case Shaped():
            return dynamic_array(shape.dtype)
        case Weak():
            return dynamic_scalar(SCALARS[shape.kind][0])
        case Each():
            item = converter_of(shape.item)
            of: dict[Any, Convert] = {
                dict: dynamic_mapping(_KEYS, item),
                list: dynamic_list(item),
                tuple: dynamic_sequence(item),
            }
            # Another package does not say the container: the value's own then.
            return lambda x, *at: of.get(shape.kind or type(x), dynamic_any)(x, *at)
        case Items():
            return dynamic_items(*map(converter_of, shape.items))
        case AnyOf():
            # Objects last: they are taken as they are, and so would be all else.
            options = sorted(shape.options, key=lambda one: isinstance(one, Part))
            return dynamic_union(*map(converter_of, options))
        case _:
            return dynamic_none if shape is None else dynamic_any
