# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The repr of an object: one line, or as many as a terminal's width asks for.

    Plate(
        u=f32[125,3],
        cell=Cell(u=[0.5, 0.25], bias=0.0),
        scheme=Scheme.EXPLICIT,
    )

Of an array with many numbers it is dtype and shape, as jaxprs have them. What is long,
deep or holds itself is cut.
"""

import contextlib
import dataclasses
import enum
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import numpy as np
from jax.core import Tracer

from .dtypes import is_kind

_WIDTH: Final = 88
_INDENT: Final = "    "
# What is more than this is shown by its shape, or cut.
_NUMBERS_MAX: Final = 6
_ITEMS_MAX: Final = 20
_TEXT_MAX: Final = 60
_DEPTH_MAX: Final = 20
_CUT: Final[dict[type[Any], str]] = {tuple: "(...)", list: "[...]", dict: "{...}"}
_SHORT: Final = (
    ("bfloat", "bf"),
    ("float", "f"),
    ("uint", "u"),
    ("int", "i"),
    ("complex", "c"),
)


class _Group(NamedTuple):
    """What may be broken into lines: its items, each behind a name, between brackets."""

    opening: str
    items: "tuple[tuple[str, _Text], ...]"
    closing: str


_Text: TypeAlias = "str | _Group"


def pretty(value: Any) -> str:
    """Return the text of a value, over several lines where one is too short."""
    return _laid_out(_Walk().text(value), "", 0, 0)


def flat(value: Any) -> str:
    """Return the text of a value in one line, but for what other classes' reprs break."""
    return _flat(_Walk().text(value))


def short_shape(array: Any) -> str:
    """Return dtype and shape as jaxprs and schemas have them: `f32[125,3]`."""
    return f"{_short_dtype(array.dtype)}[{','.join(map(str, array.shape))}]"


def _short_dtype(dtype: Any) -> str:
    if is_kind(dtype, jax.dtypes.prng_key):
        return "key"
    name = str(dtype.name)
    for long, short in _SHORT:
        if name.startswith(long):
            return short + name.removeprefix(long)
    return name


class _Walk:
    """One walk through a value; what it is in just now is not shown in itself again."""

    def __init__(self) -> None:
        self._around: list[int] = []

    def text(self, value: Any) -> _Text:
        """Return the text of a value, ready to be broken."""
        write = _writer(value)
        if write is None:
            return _plain(value)
        if id(value) in self._around or len(self._around) > _DEPTH_MAX:
            return _CUT.get(type(value), f"{type(value).__qualname__}(...)")
        self._around.append(id(value))
        try:
            return write(self, value)
        finally:
            self._around.pop()

    def items(self, values: Any, opening: str, closing: str) -> _Group:
        """Show items, the first of many."""
        shown = [("", self.text(item)) for item in list(values)[:_ITEMS_MAX]]
        return _Group(opening, (*shown, *_rest(values)), closing)


def _object(walk: _Walk, value: Any) -> _Group:
    """Show an object by its fields."""
    cls: Any = type(value)
    names = [field.name for field in dataclasses.fields(cls) if field.repr]
    # Of an object that is still being made, some are not there.
    fields = [(n, getattr(value, n)) for n in names if hasattr(value, n)]
    missing: list[tuple[str, _Text]] = [("", "...")] if len(fields) < len(names) else []
    return _Group(f"{cls.__qualname__}(", (*_named(walk, fields), *missing), ")")


def _named(walk: _Walk, pairs: Iterable[tuple[str, Any]]) -> list[tuple[str, _Text]]:
    return [(f"{name}=", walk.text(item)) for name, item in pairs]


def _tuple(walk: _Walk, value: Any) -> _Group:
    return walk.items(value, "(", ",)" if len(value) == 1 else ")")


def _named_tuple(walk: _Walk, value: Any) -> _Group:
    cls = type(value)
    fields = _named(walk, zip(cls._fields, value, strict=True))
    return _Group(f"{cls.__qualname__}(", tuple(fields), ")")


def _list(walk: _Walk, value: Any) -> _Group:
    return walk.items(value, "[", "]")


def _dict(walk: _Walk, value: Any) -> _Group:
    pairs = list(value.items())[:_ITEMS_MAX]
    items = [(f"{_plain(key)}: ", walk.text(item)) for key, item in pairs]
    opening, closing = ("{", "}") if type(value) is dict else ("frozendict({", "})")
    return _Group(opening, (*items, *_rest(value)), closing)


def _writer(value: Any) -> Callable[[_Walk, Any], _Text] | None:
    """Return what shows a value by its parts; None where its own repr does."""
    cls = type(value)
    if cls in _BY_TYPE:
        return _BY_TYPE[cls]
    own: Any = cls.__repr__
    if hasattr(cls, "__codegen_record__"):
        # One of its mixins, or of a class derived from it, wins.
        return _object if getattr(own, "__qualname__", "") == "Keyed.__repr__" else None
    if hasattr(cls, "__codegen_tag__"):
        return _dict
    # `namedtuple` makes its own there.
    is_named = (
        issubclass(cls, tuple) and getattr(own, "__module__", "") == "collections"
    )
    return _named_tuple if is_named else None


_BY_TYPE: Final[dict[type[Any], Callable[[_Walk, Any], _Text]]] = {
    tuple: _tuple,
    list: _list,
    dict: _dict,
}


def _rest(values: Any) -> list[tuple[str, _Text]]:
    more = len(values) - _ITEMS_MAX
    return [("", f"... {more} more")] if more > 0 else []


def _plain(value: Any) -> str:
    """Return the text of what is not broken into parts."""
    if isinstance(value, Tracer | jax.ShapeDtypeStruct) and hasattr(value, "dtype"):
        return f"{type(value).__name__}({short_shape(value)})"
    if isinstance(value, jax.Array | np.ndarray):
        return _array(value)
    if isinstance(value, enum.Enum) and type(value).__repr__ is enum.Enum.__repr__:
        return f"{type(value).__qualname__}.{value.name}"
    text = repr(value)
    if isinstance(value, str | bytes) and len(text) > _WIDTH:
        text = f"{text[:_TEXT_MAX]}...{text[-1]}"
    return text


def _array(value: Any) -> str:
    shape = short_shape(value)
    if isinstance(value, jax.Array) and value.is_deleted():
        return f"{shape} deleted"
    is_key = is_kind(value.dtype, jax.dtypes.prng_key)
    if is_key or value.size > _NUMBERS_MAX or not value.size:
        return shape
    # Where part of it is on another machine, nobody has its numbers.
    with contextlib.suppress(RuntimeError):
        text = _numbers(np.asarray(value))
        return text if len(text) <= _TEXT_MAX else shape
    return shape


def _numbers(value: Any, *index: int) -> str:
    if len(index) < value.ndim:
        items = (_numbers(value, *index, i) for i in range(value.shape[len(index)]))
        return f"[{', '.join(items)}]"
    # As numbers of their own precision: a float32 is 0.1, not 0.10000000149011612.
    item = value[index]
    return str(item) if isinstance(item, np.number | np.bool_) else repr(item)


# --- lines


def _flat(text: _Text) -> str:
    if isinstance(text, str):
        return text
    items = (name + _flat(item) for name, item in text.items)
    return f"{text.opening}{', '.join(items)}{text.closing}"


def _laid_out(text: _Text, margin: str, before: int, after: int) -> str:
    """Break a text where it does not fit.

    Args:
        text: the text
        margin: that of the line in which it begins
        before: how many characters stand before it in that line
        after: how many stand behind it
    """
    flat_text = _flat(text)
    if isinstance(text, str):
        return flat_text.replace("\n", f"\n{margin}")
    is_short = before + len(flat_text) + after <= _WIDTH and "\n" not in flat_text
    if is_short or not text.items:
        return flat_text
    inner = margin + _INDENT
    lines = [
        f"{inner}{name}{_laid_out(item, inner, len(inner) + len(name), 1)},"
        for name, item in text.items
    ]
    closing = text.closing.removeprefix(",")
    return "\n".join([text.opening, *lines, margin + closing])
