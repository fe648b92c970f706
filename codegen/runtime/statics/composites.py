# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
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

from ..converters import (
    as_bytes,
    as_callable,
    as_dtype,
    as_enum,
    as_instance,
    as_literal,
    as_none,
    complex_tag,
)
from ..keys.conversion import (
    as_bool,
    as_complex,
    as_float,
    as_int,
    as_str,
    float_tag,
)
from ..keys.messages import Owner, mismatch, named, remedies
from ..keys.names import is_found, matches, other_class
from .advice import Wanted, instead
from .constants import as_constant, constant_tag
from .frozendict import frozendict
from .tags import as_static, set_content

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

    return Converter(
        kind.__qualname__,
        convert,
        lambda value: isinstance(value, kind),
        module=kind.__module__,
    )


def static_literal(*options: Any) -> Converter[Any]:
    """Convert values that are one of the options, of exactly its type."""

    def exact(value: Any) -> bool:
        return any(type(value) is type(one) and value == one for one in options)

    return _atom(
        f"Literal[{', '.join(map(repr, options))}]",
        lambda value, owner, path: as_literal(value, options, owner, path),
        lambda value: (type(value), value),
        exact,
    )


def static_constant(declared: str) -> Converter[Any]:
    """Convert constant arrays of a dtype or kind."""
    return _atom(
        f"{declared} array",
        lambda value, owner, path: as_constant(value, declared, owner, path),
        constant_tag,
        lambda value: type(value) is np.ndarray and matches(value.dtype, declared),
        ["array"],
    )


def static_instance(kind: type[Any]) -> Converter[Any]:
    """Convert objects of a generated static class, which may be abstract."""
    return _atom(
        kind.__qualname__,
        lambda value, owner, path: as_instance(value, kind, owner, path),
        lambda value: value.__codegen_key__,
        lambda value: type(value) is kind,
        module=kind.__module__,
    )


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
    return _tuple(f"tuple[{item.name}, ...]", lambda value: [item] * len(value))


def static_items(*items: Converter[Any]) -> Converter[Any]:
    """Convert `tuple[A, B]`: one converter an item."""
    inner = ", ".join(item.name for item in items) or "()"
    return _tuple(f"tuple[{inner}]", lambda _: items)


def _tuple(
    name: str, items_of: Callable[[Any], Sequence[Converter[Any]]]
) -> Converter[Any]:
    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if type(value) is not tuple or len(value) != len(items_of(value)):
            raise _mismatch(value, owner, path, name, ["tuple"])
        pairs = [
            item.convert(part, owner, f"{path}[{index}]")
            for index, (item, part) in enumerate(
                zip(items_of(value), value, strict=True)
            )
        ]
        return tuple(part for part, _ in pairs), tuple(tag for _, tag in pairs)

    def exact(value: Any) -> bool:
        if type(value) is not tuple or len(value) != len(items_of(value)):
            return False
        pairs = zip(items_of(value), value, strict=True)
        return all(item.exact(part) for item, part in pairs)

    return Converter(name, convert, exact, ["tuple"])


def static_frozenset(item: Converter[Any]) -> Converter[Any]:
    """Convert `frozenset[T]`; the order of iteration is no part of the tag."""
    name = f"frozenset[{item.name}]"

    def convert(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        if type(value) is not frozenset:
            raise _mismatch(value, owner, path, name, ["frozenset"])
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
            raise _mismatch(value, owner, path, name, ["frozendict"])
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
        for refused in errors:
            if getattr(refused, "refusal", ("",))[0] != path:
                raise refused  # it takes a value of this type, and says what is wrong inside
        remedy = instead(value, owner, wanted) or remedies(errors)
        raise mismatch(value, owner, path, f"`{name}`", remedy)

    def exact(value: Any) -> bool:
        return any(option.exact(value) for option in options)

    return Converter(name, convert, exact, wanted)


def _mismatch(
    value: Any, owner: Owner, path: str, name: str, wanted: Wanted
) -> TypeError:
    return mismatch(value, owner, path, f"a {name}", instead(value, owner, wanted))


def _distinct(options: Sequence[Converter[Any]]) -> Iterator[str]:
    """Name alternatives, those of one name with their modules."""
    names = [option.name for option in options]
    for name, option in zip(names, options, strict=True):
        alike = option.module and names.count(name) > 1
        yield f"{option.module}.{name}" if alike else name


def _atom(
    name: str,
    convert: Callable[[Any, Owner, str], Any],
    tag: Callable[[Any], Hashable],
    exact: Callable[[Any], bool],
    wanted: Wanted = (),
    module: str = "",
) -> Converter[Any]:
    """Make a converter of what a function of `conversion.py` makes, and its tag."""

    def both(value: Any, owner: Owner, path: str) -> tuple[Any, Hashable]:
        value = convert(value, owner, path)
        return value, tag(value)

    return Converter(name, both, exact, wanted, module)


def _scalar(
    kind: type[Any],
    convert: Callable[[Any, Owner, str], Any],
    tag: Callable[[Any], Hashable] = lambda value: value,
) -> Converter[Any]:
    """Make a converter of the values of just one Python type."""
    name = "None" if kind is type(None) else kind.__name__
    wanted = ["number"] if kind in _NUMBERS else [name]
    return _atom(name, convert, tag, lambda value: type(value) is kind, wanted)


static_int: Final[Converter[int]] = _scalar(int, as_int)
static_float: Final[Converter[float]] = _scalar(float, as_float, float_tag)
static_bool: Final[Converter[bool]] = _scalar(bool, as_bool)
static_complex: Final[Converter[complex]] = _scalar(complex, as_complex, complex_tag)
static_str: Final[Converter[str]] = _scalar(str, as_str)
static_bytes: Final[Converter[bytes]] = _scalar(bytes, as_bytes)
static_none: Final[Converter[None]] = _scalar(type(None), as_none)
static_any: Final[Converter[Any]] = Converter("Any", as_static, lambda _: True)
static_dtype: Final[Converter[np.dtype[Any]]] = _atom(
    "dtype", as_dtype, lambda dtype: dtype, lambda value: isinstance(value, np.dtype)
)
static_callable: Final[Converter[Callable[..., Any]]] = _atom(
    "Callable", as_callable, id, lambda value: callable(value) and is_found(value)
)
