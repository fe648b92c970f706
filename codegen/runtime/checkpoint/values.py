"""Static values as JSON, and back through every check.

    Writing(package).static((1, 1.0), "dx")     # ["tuple", [1, ["float", "0x1.0000000000000p+0"]]]
    Reading(package).static(["tuple", [1, ["float", "0x1.0000000000000p+0"]]], "dx")
    # (1, 1.0)

Every value but the plainest is a list that begins with its kind, so that no two of other
types are written alike. What is wrong with one that is read is a `Wrong`, which says it.
"""

import base64
import dataclasses
import enum
import functools
import math
import operator
import re
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ..converters import is_named_tuple, is_plain
from ..keys.names import canonical as canonical_dtype
from ..keys.names import is_found, is_frozendict, is_generated
from ..mesh.fingerprints import text_of
from ..statics.views import attributes, is_foreign_dataclass
from .documents import EXACT_MAX, canonical, is_same
from .fitting import is_told
from .schemas import Package

Encoded = Any  # What JSON holds.

_HEX: Final = re.compile(r"-?0x[0-9a-f]+")
_FLOAT: Final = re.compile(r"nan|-?(inf|0x[01]\.[0-9a-f]+p[+-][0-9]+)")
# As `dtype_name` writes it: of other texts NumPy takes some for Python.
_DTYPE: Final = re.compile(r"[a-z]{2}[a-z0-9_]+|[<|][SUMm][0-9]+(\[\w+\])?")
# What making a value raises where its parts are wrong.
_OF_PARTS: Final = (TypeError, ValueError, AttributeError, LookupError, OverflowError)


class Wrong(Exception):
    """A value that cannot be taken; its text says why."""


# What a text raises that is no dtype's name.
_OF_NO_DTYPE: Final = (TypeError, ValueError, Wrong)


class Writing:
    """Writes static values; how objects of generated classes are written, a subclass says."""

    def __init__(self, package: Package) -> None:
        self.package = package

    def static(self, value: Any, path: str) -> Encoded:
        """Write a static value, or a number."""
        is_small = type(value) is int and abs(value) <= EXACT_MAX
        if value is None or is_small or type(value) in (bool, str):
            return value
        name = next(name for name, kind in KINDS.items() if kind.has(value))
        return [name, *KINDS[name].write(self, value, path)]

    def items(self, values: Any, path: str) -> list[Encoded]:
        """Write the items of a container."""
        return [self.static(item, f"{path}[{i}]") for i, item in enumerate(values)]

    def named(self, value: Any) -> list[Encoded]:
        """Write the text of a value, and whether others may have it, as lambdas do."""
        return [text_of(value, self.package.name), *([] if is_told(value) else ["one"])]

    def name(self, value: Any) -> str:
        """Return the name of a value's class."""
        return self.package.name_of(type(value))


class Reading:
    """Reads static values, of the classes that a package's schemas lead to.

    A subclass says how objects are read, and what a name stands for.
    """

    def __init__(self, package: Package) -> None:
        self.package = package

    def static(self, code: Encoded, path: str) -> Any:
        """Return a static value.

        Raises:
            Wrong: it is not what is written of a value, or of an unknown class
        """
        if code is None or isinstance(code, bool | str | int):
            return code
        name = code[0] if isinstance(code, list) and code else None
        if not isinstance(name, str) or name not in KINDS:
            raise Wrong(f"a static value cannot be {shown(code)}")
        try:
            return KINDS[name].read(self, path, *code[1:])
        except _OF_PARTS as error:
            raise Wrong(f"{shown(code)} is no value: {error}") from None

    def found(self, name: str, is_one: Callable[[Any], bool], what: str) -> Any:
        """Return the class of a name, of a kind.

        Raises:
            Wrong: there is none
        """
        kind = self.package.find_class(str(name))
        if not isinstance(kind, type) or not is_one(kind):
            called = str(name).replace(":", ".").rpartition(".")[2]
            raise Wrong(
                f"the {what} `{name}` is none that the schemas declare or import: import "
                "its module before, or give `like=`; or, if it is called otherwise now, "
                f"write `# codegen: was[{called}]` behind it"
            )
        return kind


# --- how each kind is read


def _int(_: Reading, __: str, text: str) -> int:
    value = int(_matched(_HEX, text), 16)
    if abs(value) <= EXACT_MAX or hex(value) != text:
        raise Wrong(f"{shown(text)} is not how an int is written")
    return value


def _float(text: str) -> float:
    value = float.fromhex(_matched(_FLOAT, text))
    if value.hex() != text:
        raise Wrong(f"{shown(text)} is not how a float is written")
    return value


def require_list(items: Encoded) -> None:
    """Refuse what is no list of items.

    Raises:
        Wrong: it is none
    """
    if not isinstance(items, list):
        raise Wrong(f"{shown(items)} is no list of items")


def _tuple(reading: Reading, path: str, items: list[Encoded]) -> tuple[Any, ...]:
    require_list(items)
    return tuple([reading.static(one, f"{path}[{i}]") for i, one in enumerate(items)])


def _frozenset(reading: Reading, path: str, items: list[Encoded]) -> frozenset[Any]:
    found = frozenset(_tuple(reading, path, items))
    if len(found) != len(items):
        raise Wrong("a frozenset has an item twice")
    return found


def _frozendict(reading: Reading, path: str, pairs: list[Encoded]) -> Any:
    made = imported("frozendict").frozendict(
        _tuple(reading, path, pair) for pair in pairs
    )
    if len(made) != len(pairs):
        raise Wrong("a frozendict has a key twice")
    return made


def _enum(reading: Reading, path: str, name: str, member: Encoded) -> Any:
    kind = reading.found(name, _is_enum, "enum")
    if not isinstance(member, str):
        return kind(reading.static(member[1], path))
    entry = reading.package.entry(reading.package.now(name))
    members = [entry.get("former", {}).get(one, one) for one in member.split("|")]
    if not {*members} <= {*kind.__members__}:
        known = ", ".join(kind.__members__)
        raise Wrong(
            f"`{name}` has no member `{member}` now, it has {known}: if one of them was "
            f"called so, write `# codegen: was[{member}]` behind it"
        )
    return functools.reduce(operator.or_, (kind[one] for one in members))


def _namedtuple(
    reading: Reading, path: str, name: str, items: dict[str, Encoded]
) -> Any:
    kind = reading.found(name, is_named_tuple, "named tuple")
    if {*kind._fields} != {*items}:
        raise Wrong(f"`{name}` has the fields {', '.join(kind._fields)} now")
    return kind._make(
        reading.static(items[one], f"{path}.{one}") for one in kind._fields
    )


def _dataclass(
    reading: Reading, path: str, name: str, items: dict[str, Encoded]
) -> Any:
    kind = reading.found(name, is_foreign_dataclass, "dataclass")
    given = {one: reading.static(code, f"{path}.{one}") for one, code in items.items()}
    init = {one.name for one in dataclasses.fields(kind) if one.init}
    try:
        made = kind(**{one: value for one, value in given.items() if one in init})
    except Exception as error:  # noqa: BLE001  Whatever a foreign class raises there.
        raise Wrong(f"`{name}` cannot be made of what was saved: {error}") from None
    write = Writing(reading.package).static
    pairs = ((value, given.get(one)) for one, value in attributes(made))
    if not all(is_same(write(one, path), write(other, path)) for one, other in pairs):
        raise Wrong(f"`{name}` makes another object of what was saved")
    return made


def _constant(_: Reading, __: str, dtype: str, shape: list[int], text: str) -> Any:
    kind, data = read_dtype(dtype), _bytes(text)
    is_shape = all(type(size) is int and 0 <= size < EXACT_MAX for size in shape)
    if not is_shape or math.prod(shape) * kind.itemsize != len(data):
        raise Wrong(f"an array {shape} of {dtype} has not {len(data)} bytes")
    little = np.frombuffer(data, kind.newbyteorder("<"))
    return np.ndarray(shape, kind, little.astype(kind, copy=False).tobytes())


def _single(array: np.ndarray[Any, Any]) -> Any:
    if array.shape:
        raise Wrong("a number has no shape")
    return array[()]


def read_dtype(name: str) -> np.dtype[Any]:
    """Return the dtype of a name.

    Raises:
        TypeError: there is none
        Wrong: it is of no numbers, or has another name
    """
    dtype: np.dtype[Any] = np.dtype(_matched(_DTYPE, name))
    if not is_plain(dtype) or dtype_name(dtype) != name:
        raise Wrong(f"there are no arrays of {name}")
    return canonical_dtype(dtype)


def is_dtype(name: Encoded) -> bool:
    """Tell whether a name is that of a dtype of numbers."""
    try:
        return is_plain(np.dtype(_matched(_DTYPE, name)))
    except _OF_NO_DTYPE:
        return False


def _bytes(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if _base64(data) != text:
        raise Wrong(f"{shown(text)} is not how bytes are written")
    return data


def _matched(pattern: re.Pattern[str], text: Encoded) -> str:
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise Wrong(f"{shown(text)} is no such value")
    return text


# --- how each kind is written


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the name by which a dtype is found again."""
    dtype = canonical_dtype(dtype)
    return dtype.str if dtype.kind in "MmSU" else dtype.name


def _content(array: np.ndarray[Any, Any]) -> list[Encoded]:
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return [dtype_name(array.dtype), list(array.shape), _base64(little.tobytes())]


def _member(writing: Writing, value: enum.Enum, path: str) -> Encoded:
    # A combination of flags may have no name.
    return value.name or ["value", writing.static(value.value, path)]


def _held(writing: Writing, pairs: Any, path: str) -> dict[str, Encoded]:
    return {name: writing.static(item, f"{path}.{name}") for name, item in pairs}


def _is(kind: type[Any]) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind


def _is_enum(kind: type[Any]) -> bool:
    return issubclass(kind, enum.Enum)


def is_numpy_scalar(value: Any) -> bool:
    """Tell whether a value is a number of NumPy, or a bool of it."""
    return isinstance(value, np.generic) and is_plain(value.dtype)


class Kind(NamedTuple):
    """A kind of static values."""

    has: Callable[[Any], bool]
    # What is behind the kind's name: made of a value, and a value made of it.
    write: Callable[[Any, Any, str], list[Encoded]]
    read: Callable[..., Any]


KINDS: Final = {
    "object": Kind(
        is_generated,
        lambda w, v, p: w.object(v, p),
        lambda r, p, *code: r.static_object(p, *code),
    ),
    "int": Kind(_is(int), lambda _, v, p: [hex(v)], _int),
    "float": Kind(
        _is(float), lambda _, v, p: [v.hex()], lambda _, p, text: _float(text)
    ),
    "complex": Kind(
        _is(complex),
        lambda _, v, p: [v.real.hex(), v.imag.hex()],
        lambda _, p, real, imag: complex(_float(real), _float(imag)),
    ),
    "bytes": Kind(
        _is(bytes), lambda _, v, p: [_base64(v)], lambda _, p, text: _bytes(text)
    ),
    "range": Kind(
        _is(range),
        lambda w, v, p: [w.static(n, p) for n in (v.start, v.stop, v.step)],
        lambda r, p, *numbers: range(*(r.static(n, p) for n in numbers)),
    ),
    "tuple": Kind(_is(tuple), lambda w, v, p: [w.items(v, p)], _tuple),
    "frozenset": Kind(
        _is(frozenset),
        lambda w, v, p: [sorted(w.items(v, p), key=canonical)],
        _frozenset,
    ),
    "frozendict": Kind(
        is_frozendict,
        lambda w, v, p: [[w.items(pair, p) for pair in v.items()]],
        _frozendict,
    ),
    "enum": Kind(
        lambda v: isinstance(v, enum.Enum),
        lambda w, v, p: [w.name(v), _member(w, v, p)],
        _enum,
    ),
    "namedtuple": Kind(
        lambda v: is_named_tuple(type(v)),
        lambda w, v, p: [w.name(v), dict(zip(v._fields, w.items(v, p), strict=True))],
        _namedtuple,
    ),
    "constant": Kind(
        lambda v: isinstance(v, np.ndarray), lambda _, v, p: _content(v), _constant
    ),
    "scalar": Kind(
        is_numpy_scalar,
        lambda _, v, p: _content(np.asarray(v)),
        lambda *code: _single(_constant(*code)),
    ),
    "dtype": Kind(
        lambda v: isinstance(v, np.dtype) and is_plain(v),
        lambda _, v, p: [dtype_name(v)],
        lambda _, p, name: read_dtype(name),
    ),
    "dataclass": Kind(
        lambda v: is_foreign_dataclass(type(v)) and is_found(type(v)),
        lambda w, v, p: [w.name(v), _held(w, attributes(v), p)],
        _dataclass,
    ),
    # All others: functions mostly, of which there is a text alone.
    "named": Kind(
        lambda v: True,
        lambda w, v, p: w.named(v),
        lambda r, p, text, which="": r.named(p, text, which),
    ),
}


def imported(name: str) -> Any:
    """Return a part of the support package, which schemas that need it have imported.

    Raises:
        Wrong: none does
    """
    part = sys.modules.get(f"{__name__.rsplit('.', 2)[0]}.{name}")
    if part is None:
        raise Wrong(f"no schema that was imported has anything of `{name}`")
    return part


def shown(code: Encoded) -> str:
    """Return the beginning of what is written of a value."""
    text = repr(code)
    return text if len(text) <= 60 else f"{text[:57]}..."
