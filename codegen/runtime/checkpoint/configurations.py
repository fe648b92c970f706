"""Static objects as plain data that JSON, YAML and TOML can represent.

    to_dict(Grid(nx=4))                     # {"nx": 4, "dx": 0.01}
    from_dict(Grid, {"nx": 4})              # Grid(nx=4, dx=0.01)
    from_dict(Grid, {"nx": 4, "dy": 0.1})   # ValueError: `Grid.dy` is not a field: ...

A list becomes the tuple, frozenset or array that the field declares, and a name the
enum member or dtype. A table names its class if several are possible: `{"class": ...}`.
"""

import contextlib
import dataclasses
import difflib
import enum
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar

import numpy as np

from ..declared import (
    Declared,
    Each,
    Foreign,
    Given,
    Items,
    Literal,
    Part,
    Shaped,
    Word,
    identity,
    resolved,
)
from ..frozen_dicts import frozendict
from ..keys.conversion import Converted
from ..keys.messages import a_or_an, format_line, shorten
from ..keys.names import KINDS, Generated, is_found, is_generated, is_kind
from ..mesh.fingerprints import format_static
from ..renames import former_names
from .differences import format_brief
from .documents import HALVES, MISFITS, canonical
from .packing import FORMS, Packing
from .reading import are_pairs
from .schemas import Package, concrete, is_concrete, item_type, members, type_text

T = TypeVar("T")

# Types that JSON represents directly.
_PLAIN: Final[tuple[Any, ...]] = (None, bool, int, float, str)
# What a configuration gives for values that are written as text.
_TEXTS: Final = {"bytes": "base64", "dtype": "the name of a dtype"}
_LETTERS: Final = ("nan", "inf", "-inf")
# The limit for an int that Python parses: more than 4300 digits need a process setting.
_BITS_MAX: Final = 14_000
# A keyword, so no field can have this name.
_CLASS: Final = "class"


def to_dict(obj: Any) -> dict[str, Any]:
    """Return a static object as a dict of plain data, including nested objects.

    Raises:
        TypeError: it is not a static object, or has a value without a text
    """
    _require_static(type(obj))
    return _PlainConverter(Package.of(type(obj))).table(obj, type(obj).__qualname__)


def to_json(obj: Any) -> str:
    """Return a static object as indented JSON. Raises the same errors as `to_dict`."""
    return json.dumps(to_dict(obj), indent=2, allow_nan=False)


def from_dict(cls: type[T], data: Mapping[str, Any]) -> T:
    """Create a static object from plain data, checked against the declared types.

    A missing field gets its default. For a field that takes several classes, the table
    has an entry `class`: `"forces.Spring"`, or `"Spring"` if that name is unique.

    Raises:
        TypeError: a value is of another type; the error names the path
        ValueError: there is no such field, or the field does not accept the value
    """
    _require_static(cls)
    try:
        obj: T = _PlainConverter(Package.of(cls)).object([cls], data, cls.__qualname__)
    except RecursionError:
        raise ValueError(f"`{cls.__qualname__}` is nested too deeply") from None
    return obj


def from_json(cls: type[T], data: str | bytes) -> T:
    """Create a static object from JSON. Raises the same errors as `from_dict`, too.

    Raises:
        ValueError: it is not JSON, has a key twice, or a number that no float holds
    """
    return from_dict(cls, _read_json(data))


def _require_static(cls: Any) -> None:
    record = getattr(cls, "__codegen_record__", None)
    if record is None or record.data_fields:
        name = getattr(cls, "__qualname__", repr(cls))
        raise TypeError(f"`{name}` is not a static class. For arrays, use `pack`")


def _names(
    data: Mapping[str, Any], now: Mapping[str, Any], was: dict[str, str], path: str
) -> dict[str, str]:
    """Map the keys of a table, which may be former names, to current field names."""
    names = former_names(data, now, was)
    for name, old in names.items():
        # A field that is left out has its default, so a missing name proves nothing.
        if old != name and old in now and old not in names:
            raise ValueError(
                f"`{path}.{old}` may also be the former name of `{name}`: add `{name}`"
            )
    return was | {old: name for name, old in names.items()}


class _PlainConverter:
    """Converts values of declared types to plain data, and back."""

    def __init__(self, package: Package) -> None:
        self.package = package

    # --- to plain data

    def table(self, obj: Any, path: str) -> dict[str, Any]:
        """Return an object as a table of its fields."""
        return {
            name: self._to_plain(declared, getattr(obj, name), f"{path}.{name}")
            for name, declared in _fields(type(obj)).items()
        }

    def _to_plain(self, declared: Declared, value: Any, path: str) -> Any:
        plain = self._plain(declared, value, path)
        # If the type is ambiguous for a text, the text is read again and compared.
        others = [one for one in members(declared) if one is not None]
        # `from_dict` accepts the name of a function that is the default.
        is_named = identity in others and callable(value)
        if is_named or (len(others) < 2 and not any(map(_is_open, others))):
            return plain
        try:
            again = self.value(declared, plain, path)
        except MISFITS:
            _refuse_plain(value, path)
        write = Packing(self.package).static
        if canonical(write(again, path)) != canonical(write(value, path)):
            raise TypeError(
                f"`{path}` is {format_brief(value)}, but would be read as {format_brief(again)}, "
                f"because `{self._text(declared)}` accepts both"
            )
        return plain

    def _plain(self, declared: Declared, value: Any, path: str) -> Any:
        # Untyped: a failed check must not narrow the type of its parts.
        parts, kind = value, type(value)
        if fault := _json_fault(value):
            raise TypeError(f"`{path}` {fault}")
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if value - value == 0 else str(value)
        if kind is complex:
            return self._plain(Any, [value.real, value.imag], path)
        if isinstance(value, enum.Enum):
            names = {*str(value.name).split("|")}
            is_member = names <= {*type(value).__members__}
            return value.name if is_member else _refuse_plain(value, path)
        if isinstance(value, np.dtype):
            return value.name
        if kind is bytes:
            return FORMS["bytes"].write(value)[0]
        if isinstance(value, np.ndarray) and value.dtype.kind != "c":
            return self._plain(Any, value.tolist(), path)
        if kind is list:  # the numbers of an array
            return [self._plain(Any, one, path) for one in value]
        if is_generated(value):
            name = self.package.name_of(kind)
            classes = map(_generated_class, members(declared))
            known = [self.package.name_of(one) for one in classes if one]
            return ({} if known == [name] else {_CLASS: name}) | self.table(value, path)
        if kind is frozendict:
            of = next((m for m in members(declared) if isinstance(m, Each)), None)
            key, item = (of.key, of.item) if of else (Any, Any)
            pairs = [
                [
                    self._to_plain(key, k, path),
                    self._to_plain(item, v, _item_path(path, k)),
                ]
                for k, v in parts.items()
            ]
            return dict(pairs) if all(type(one) is str for one in parts) else pairs
        if isinstance(value, tuple | frozenset):
            items = [
                self._to_plain(item_type(declared, i), one, f"{path}[{i}]")
                for i, one in enumerate(value)
            ]
            return items if isinstance(value, tuple) else sorted(items, key=json.dumps)
        if callable(value) and is_found(value):
            return format_static(value, "")
        return _refuse_plain(value, path)

    # --- from plain data

    def object(self, bases: Sequence[Any], data: Any, path: str) -> Any:
        """Return an object of one of some classes, or of their subclasses."""
        if not isinstance(data, Mapping):
            _refuse(path, "a dict with one entry for each field", data)
        cls = self._class(bases, data, path)
        record, fields = cls.__codegen_record__, _fields(cls)
        former = self.package.entry(self.package.name_of(cls)).get("former", {})
        names, values = _names(data, fields, former, path), dict[str, Any]()
        for key, one in data.items():
            name = names.get(key, key)
            if name == _CLASS:
                continue
            if name in values:
                raise ValueError(f"`{path}.{name}` is given under two names")
            if name not in fields:
                shown = shorten(str(key))
                near = difflib.get_close_matches(shown, fields, 1)
                has = f"the fields are {', '.join(fields)}"
                hint = f"did you mean `{near[0]}`?" if near else has
                raise ValueError(f"`{path}.{shown}` is not a field: {hint}")
            default = record.defaults.get(name)
            if is_found(default) and str(one) == format_static(default, ""):
                continue
            value = self.value(fields[name], one, f"{path}.{name}")
            values[name] = Converted(value) if name in record.converted else value
        try:
            return record.create(**values)
        except (TypeError, ValueError) as error:
            raise type(error)(f"`{path}`: {error}") from None

    def _class(self, bases: Sequence[Any], data: Mapping[str, Any], path: str) -> Any:
        """Return the class of a table: the one it names, or the only one possible."""
        if _CLASS not in data and len(bases) == 1 and is_concrete(bases[0]):
            return bases[0]
        name_of, find = self.package.name_of, self.package.find_class
        kinds = [one for base in bases for one in concrete(base)]
        classes = {name_of(one): find(name_of(one)) or one for one in kinds}
        named = data.get(_CLASS)
        # A bare name is enough if only one class has it.
        names = [n for n in classes if named in (re.split("[.:]", n)[-1], n)]
        if isinstance(named, str) and (now := self.package.now(named)) in classes:
            names = [now]
        if len(names) == 1:
            return classes[names[0]]
        listed = ", ".join(f'"{name}"' for name in sorted(classes))
        expected = f"one of {listed}" if classes else "a static class"
        if _CLASS in data:
            _refuse(f"{path}.{_CLASS}", expected, named)
        raise TypeError(f"`{path}` does not name its class: add `{_CLASS}`, {expected}")

    def value(self, declared: Declared, data: Any, path: str) -> Any:
        """Return the value of the first member of the type that takes it."""
        several, kind = members(declared), None if data is None else type(data)
        if kind in _PLAIN and kind in several:
            return data
        classes = [one for one in map(_generated_class, several) if one]
        others = [one for one in several if one is not None]
        is_tagged = isinstance(data, Mapping) and _CLASS in data
        has_tables = any(isinstance(m, Each) and m.kind is frozendict for m in others)
        if classes and isinstance(data, Mapping) and (is_tagged or not has_tables):
            return self.object(classes, data, path)
        if len(others) == 1:
            return self._value(others[0], data, path)
        for one in others:
            with contextlib.suppress(TypeError, ValueError):
                return self._value(one, data, path)
        return _refuse(path, f"`{self._text(declared)}`", data)

    def _value(self, declared: Declared, data: Any, path: str) -> Any:
        if cls := _generated_class(declared):
            return self.object([cls], data, path)
        match declared:
            case type() if declared is float and type(data) is int:
                return data
            case type() if declared is float and data in _LETTERS:
                return float(data)
            case type() if declared in _PLAIN:
                return _refuse(path, a_or_an(declared.__name__, ""), data)
            case type() if declared is complex:
                if not isinstance(data, list | tuple) or len(data) != 2:
                    _refuse(path, "a list of two numbers", data)
                return complex(*(self.value(float, one, path) for one in data))
            case Literal(values=values):
                same = [v for v in values if type(v) is type(data) and v == data]
                texts = " | ".join(map(repr, sorted(values, key=ascii)))
                expected = texts if len(values) == 1 else f"`{texts}`"
                return same[0] if same else _refuse(path, expected, data)
            case Each() | Items():
                return self._container(declared, data, path)
            case Shaped(dtype=dtype):
                return _array(dtype, data, path)
            case Word(name="Callable" | "identity"):
                raise _without_text(path, "function")
            case enum.EnumMeta() | Foreign(kind=enum.EnumMeta()):
                kind: Any = getattr(declared, "kind", declared)
                return self._member(kind, data, path)
            case Foreign():
                raise _without_text(path, f"`{self._text(declared)}`")
            case _ if declared is bytes or isinstance(declared, Word):
                return _of_text(self._text(declared), data, path)
            case _:
                return self._any(data, path)  # Or a type parameter.

    def _text(self, declared: Declared) -> str:
        return type_text(declared, self.package.name)

    def _member(self, kind: Any, data: Any, path: str) -> Any:
        """Return the enum member of a name."""
        with contextlib.suppress(*MISFITS):
            if type(data) is str:
                return self.package.member(kind, data)
        return _refuse(path, f"one of {', '.join(kind.__members__)}", data)

    def _container(self, declared: Each | Items, data: Any, path: str) -> Any:
        if isinstance(declared, Each) and declared.kind is frozendict:
            is_table = isinstance(data, Mapping)
            items = [*map(list, data.items())] if is_table else _as_list(data, path)
            if not are_pairs(items):
                _refuse(path, "a dict, or a list of pairs", data)
            key, item = declared.key, declared.item
            return frozendict(
                (self.value(key, k, path), self.value(item, v, _item_path(path, k)))
                for k, v in items
            )
        items = _as_list(data, path)
        if isinstance(declared, Items) and len(items) != len(declared.items):
            _refuse(path, f"{len(declared.items)} elements", data)
        values = [
            self.value(item_type(declared, i), one, f"{path}[{i}]")
            for i, one in enumerate(items)
        ]
        is_set = isinstance(declared, Each) and declared.kind is frozenset
        return frozenset(values) if is_set else tuple(values)

    def _any(self, data: Any, path: str) -> Any:
        if isinstance(data, list):
            return tuple(self._any(one, path) for one in data)
        if isinstance(data, Mapping) and isinstance(data.get(_CLASS), str):
            kind = self.package.find_class(data[_CLASS])
            is_static = is_concrete(kind) and not kind.__codegen_record__.data_fields
            return self.object([kind] if is_static else [], data, path)
        is_plain = data is None or type(data) in _PLAIN
        return data if is_plain else _refuse(path, "plain data", data)


def _fields(cls: type[Any]) -> dict[str, Declared]:
    """Return the types of the fields of a class, in the order of its schema."""
    types = cls.__codegen_record__.meta_fields
    return {field.name: types[field.name] for field in dataclasses.fields(cls)}


def _generated_class(declared: Declared) -> Any:
    """Return the generated class of a type; None for other types."""
    kind: Any = declared.cls if isinstance(declared, Part) else declared
    kind = resolved(kind)
    is_generated_one = isinstance(kind, type) and issubclass(kind, Generated)
    return kind if is_generated_one else None


def _is_open(declared: Declared) -> bool:
    """Return whether a type has several values with one text."""
    return isinstance(declared, Shaped | Given) or declared in (Any, identity)


def _array(dtype: str, data: Any, path: str) -> Any:
    """Create a constant array; a decimal in a text is rounded like a literal."""
    expected = f"an array of {type_text(Shaped(dtype), '')}"
    try:
        source = np.asarray(_numbers(data))
        is_exact_one = dtype in (*KINDS, "bool")
        array = source if is_exact_one else source.astype(np.dtype(dtype))
    except MISFITS:
        _refuse(path, expected, data)
    is_exact = np.array_equal(array, source, equal_nan=source.dtype.kind in "fc")
    is_rounded = source.dtype.kind == "f" and is_kind(array.dtype, np.inexact)
    if source.dtype.kind not in "biufc" or not (is_exact or is_rounded):
        _refuse(path, expected, data)
    return array


def _numbers(data: Any) -> Any:
    """Return lists of numbers, in which some may be texts such as "nan"."""
    if isinstance(data, list | tuple):
        return [_numbers(one) for one in data]
    return float(data) if type(data) is str and data in _LETTERS else data


def _of_text(name: str, data: Any, path: str) -> Any:
    """Return the value of a type that is written as text."""
    with contextlib.suppress(*MISFITS, SyntaxError):
        if type(data) is str and name == "dtype":
            return np.dtype(data)  # any name that NumPy knows for it
        if type(data) is str:
            return FORMS[name].read(data)
    return _refuse(path, _TEXTS[name], data)


def _as_list(data: Any, path: str) -> list[Any]:
    is_list = isinstance(data, list | tuple)
    return [*data] if is_list else _refuse(path, "a list", data)


def _item_path(path: str, key: Any) -> str:
    """Return the path of an item; its key may be of any length."""
    return f"{path}[{shorten(repr(key))}]"


def _without_text(path: str, what: str) -> TypeError:
    return TypeError(
        f"`{path}` is a {what}, which plain data cannot contain: use `replace`"
    )


def _refuse_plain(value: Any, path: str) -> NoReturn:
    raise TypeError(
        f"`{path}` is {a_or_an(type(value).__qualname__, '')}, which `to_dict` cannot "
        "represent with None, bools, numbers, strings, lists and dicts"
    )


def _refuse(path: str, expected: str, data: Any) -> NoReturn:
    text = f"{shorten(format_line(data), 60)} ({type(data).__name__})"
    raise TypeError(f"`{path}` takes {expected}, but was given {text}") from None


# --- JSON


def _json_fault(value: Any) -> str:
    """Return why JSON would not give back an int or a string; empty if it would."""
    if type(value) is int and value.bit_length() > _BITS_MAX:
        bits = value.bit_length()
        return (
            f"is an int of {bits} bits, but at most {_BITS_MAX} bits can be read back"
        )
    if type(value) is str and HALVES.search(value):
        return "contains a pair of surrogates, which JSON reads as one character"
    return ""


def _read_json(text: str | bytes) -> Any:
    """Return the data in the JSON text of a configuration.

    Raises:
        ValueError: it is not JSON, has a duplicate key, or has a number that no float
            can represent
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_float=_finite,
            parse_constant=_finite,
        )
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    items: dict[str, Any] = {}
    for name, one in pairs:
        if name in items:
            raise ValueError(f"the key {name[:40]!r} appears twice")
        items[name] = one
    return items


def _finite(number: str) -> float:
    value = float(number)
    if value - value != 0:
        raise ValueError(
            f"{number[:20]} is not a finite float. Write a finite number, or the string "
            '"inf", "-inf" or "nan"'
        )
    return value
