# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Converters for static types made of other types, put together once at import.

    sizes = static_tuple(static_int)
    sizes.convert((1, numpy.int64(2)), Grid, "sizes")   # ((1, 2), (1, 2))
    sizes.convert((1, True), Grid, "sizes")             # TypeError: `Grid.sizes[1]` ...

A converter gives the canonical value and its tag, which is exact among the values of
its type. A union takes the alternative that a value is of exactly; where there is none, it
first converts the value to each, in the declared order.
"""

import dataclasses
import enum
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import numpy as np

from ..frozendict import frozendict
from ..keys.callables import is_found
from ..keys.constants import as_constant, constant_tag
from ..keys.conversion import (
    as_bool,
    as_bytes,
    as_callable,
    as_complex,
    as_dtype,
    as_enum,
    as_float,
    as_instance,
    as_int,
    as_literal,
    as_none,
    as_str,
)
from ..keys.dtypes import matches
from ..keys.messages import Owner, Wanted, mismatch, named, none_of
from ..keys.reloading import other_class
from ..keys.tags import as_static, complex_tag, float_tag, set_content

T_co = TypeVar("T_co", covariant=True)

_NUMBERS: Final = (bool, int, float, complex)
# What a converter raises for a value that it does not take.
_REFUSALS: Final = (TypeError, ValueError)


@dataclasses.dataclass(frozen=True, slots=True)
class Converter(Generic[T_co]):
    """How the values of one static type are recognised, converted and tagged."""

    # Example: "tuple[int, ...]", for error texts.
    name: str
    # From a value, its owner and its path to the canonical value and its tag.
    convert: Callable[[Any, Owner, str], tuple[T_co, Hashable]]
    # Whether a value is of this very type already.
    exact: Callable[[Any], bool]
    # What a value of it is, for the advice of error texts.
    wanted: Wanted = ()
    # Where a class is that it is named by.
    module: str = ""


def static_enum(kind: type[enum.Enum]) -> Converter[Any]:
    """Convert members of an enum."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        return as_static(as_enum(value, kind, owner, path), owner, path)

    name, module = kind.__qualname__, kind.__module__
    return Converter(
        name, convert, lambda value: isinstance(value, kind), module=module
    )


def static_literal(*options: Any) -> Converter[Any]:
    """Convert values that are one of the options, of exactly its type."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        value = as_literal(value, options, owner, path)
        return value, (type(value), value)

    def exact(value: Any) -> bool:
        return any(type(value) is type(one) and value == one for one in options)

    return Converter(f"Literal[{', '.join(map(repr, options))}]", convert, exact)


def static_constant(declared: str) -> Converter[Any]:
    """Convert constant arrays of a dtype or kind."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        value = as_constant(value, declared, owner, path)
        return value, constant_tag(value)

    def exact(value: Any) -> bool:
        return type(value) is np.ndarray and matches(value.dtype, declared)

    return Converter(f"{declared} array", convert, exact, ["array"])


def static_instance(kind: type[Any]) -> Converter[Any]:
    """Convert objects of a generated static class, which may be abstract."""

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        value = as_instance(value, kind, owner, path)
        return value, value.__codegen_key__

    name, module = kind.__qualname__, kind.__module__
    return Converter(name, convert, lambda value: type(value) is kind, module=module)


def static_foreign(kind: Any) -> Converter[Any]:
    """Convert objects of a Python type from outside; one that is no class is Any."""
    name = getattr(kind, "__qualname__", repr(kind))
    checked = isinstance(kind, type) and not getattr(kind, "_is_protocol", False)

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if checked and not isinstance(value, kind):
            remedy = other_class(value, kind)
            raise mismatch(value, owner, path, named(value, kind), remedy)
        return as_static(value, owner, path)

    module = getattr(kind, "__module__", "")
    return Converter(name, convert, lambda value: type(value) is kind, module=module)


def static_tuple(item: Converter[Any]) -> Converter[Any]:
    """Convert `tuple[T, ...]`."""
    name = f"tuple[{item.name}, ...]"

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if type(value) is not tuple:
            raise mismatch(value, owner, path, f"a {name}", wanted=["tuple"])
        pairs = [
            item.convert(part, owner, f"{path}[{index}]")
            for index, part in enumerate(value)
        ]
        return tuple(part for part, _ in pairs), tuple(tag for _, tag in pairs)

    def exact(value: Any) -> bool:
        return type(value) is tuple and all(map(item.exact, value))

    return Converter(name, convert, exact, ["tuple"])


def static_items(*items: Converter[Any]) -> Converter[Any]:
    """Convert `tuple[A, B]`: one converter an item."""
    name = f"tuple[{', '.join(item.name for item in items) or '()'}]"

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if type(value) is not tuple or len(value) != len(items):
            raise mismatch(value, owner, path, f"a {name}", wanted=["tuple"])
        pairs = [
            item.convert(part, owner, f"{path}[{index}]")
            for index, (item, part) in enumerate(zip(items, value, strict=True))
        ]
        return tuple(part for part, _ in pairs), tuple(tag for _, tag in pairs)

    def exact(value: Any) -> bool:
        return (
            type(value) is tuple
            and len(value) == len(items)
            and all(item.exact(part) for item, part in zip(items, value, strict=True))
        )

    return Converter(name, convert, exact, ["tuple"])


def static_frozenset(item: Converter[Any]) -> Converter[Any]:
    """Convert `frozenset[T]`; the order of iteration is no part of the tag."""
    name = f"frozenset[{item.name}]"

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if type(value) is not frozenset:
            raise mismatch(value, owner, path, f"a {name}", wanted=["frozenset"])
        where = f"{path}{{...}}"
        return set_content((item.convert(part, owner, where) for part in value), value)

    def exact(value: Any) -> bool:
        return type(value) is frozenset and all(map(item.exact, value))

    return Converter(name, convert, exact, ["frozenset"])


def static_frozendict(key: Converter[Any], item: Converter[Any]) -> Converter[Any]:
    """Convert `frozendict[K, V]`, also one of another generated package."""
    name = f"frozendict[{key.name}, {item.name}]"

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if not hasattr(type(value), "__codegen_tag__"):
            raise mismatch(value, owner, path, f"a {name}", wanted=["frozendict"])
        pairs = [
            (
                key.convert(name, owner, f"{path}.keys()"),
                item.convert(part, owner, f"{path}[{name!r}]"),
            )
            for name, part in value.items()
        ]
        content = frozendict((key[0], item[0]) for key, item in pairs)
        if len(content) < len(value):
            # Several NaNs are keys: see `set_content`.
            items = (item[0] for _, item in pairs)
            content = frozendict(zip(value, items, strict=True))
        return content, tuple((key[1], item[1]) for key, item in pairs)

    def exact(value: Any) -> bool:
        return hasattr(type(value), "__codegen_tag__") and all(
            key.exact(name) and item.exact(part) for name, part in value.items()
        )

    return Converter(name, convert, exact, ["frozendict"])


def static_union(*options: Converter[Any]) -> Converter[Any]:
    """Convert `A | B | ...`; `T | None` is `static_union(T, static_none)`."""
    name = " | ".join(_distinct(options))
    wanted = {one for option in options for one in option.wanted}

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if not exact(value):
            # What it becomes decides, so that it is the same key when given again.
            _, value, _ = first(value, owner, path)
        for index, option in enumerate(options):
            if option.exact(value):
                value, tag = option.convert(value, owner, path)
                return value, (index, tag)
        index, value, tag = first(value, owner, path)
        return value, (index, tag)

    def first(value: Any, owner: Owner, path: str) -> tuple[int, Any, Hashable]:
        errors: list[Exception] = []
        for index, option in enumerate(options):
            try:
                return index, *option.convert(value, owner, path)
            except _REFUSALS as error:
                if options == (option, static_none):
                    raise
                errors.append(error)
        raise none_of(errors, value, owner, path, f"`{name}`", wanted)

    def exact(value: Any) -> bool:
        return any(option.exact(value) for option in options)

    return Converter(name, convert, exact, wanted)


def _distinct(options: Sequence[Converter[Any]]) -> Iterator[str]:
    """Name alternatives, those of one name with their modules."""
    names = [option.name for option in options]
    for name, option in zip(names, options, strict=True):
        alike = option.module and names.count(name) > 1
        yield f"{option.module}.{name}" if alike else name


def _scalar(
    kind: type[Any],
    convert: Callable[[Any, Owner, str], Any],
    tag: Callable[[Any], Hashable],
) -> Converter[Any]:
    """Make a converter of the values of just one Python type."""
    name = "None" if kind is type(None) else kind.__name__
    wanted = ["number"] if kind in _NUMBERS else [name]
    both = _tagged(convert, tag)
    return Converter(name, both, lambda value: type(value) is kind, wanted)


def _tagged(
    convert: Callable[[Any, Owner, str], Any], tag: Callable[[Any], Hashable]
) -> Callable[[Any, Owner, str], tuple[Any, Hashable]]:
    """Return the tag, too, of what a function of `convert.py` makes."""

    def both(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        value = convert(value, owner, path)
        return value, tag(value)

    return both


def _itself(value: Hashable) -> Hashable:
    return value


def _is_dtype(value: Any) -> bool:
    return isinstance(value, np.dtype)


def _is_function(value: Any) -> bool:
    return callable(value) and is_found(value)


static_int: Final[Converter[int]] = _scalar(int, as_int, _itself)
static_float: Final[Converter[float]] = _scalar(float, as_float, float_tag)
static_bool: Final[Converter[bool]] = _scalar(bool, as_bool, _itself)
static_complex: Final[Converter[complex]] = _scalar(complex, as_complex, complex_tag)
static_str: Final[Converter[str]] = _scalar(str, as_str, _itself)
static_bytes: Final[Converter[bytes]] = _scalar(bytes, as_bytes, _itself)
static_none: Final[Converter[None]] = _scalar(type(None), as_none, _itself)
static_any: Final[Converter[Any]] = Converter("Any", as_static, lambda _: True)
static_dtype: Final[Converter[np.dtype[Any]]] = Converter(
    "dtype", _tagged(as_dtype, _itself), _is_dtype
)
static_callable: Final[Converter[Callable[..., Any]]] = Converter(
    "Callable", _tagged(as_callable, id), _is_function
)
