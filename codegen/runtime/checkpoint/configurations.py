"""Static objects as plain data that JSON, YAML and TOML can represent.

    to_dict(Grid(nx=4))                     # {"nx": 4, "dx": 0.01}
    from_dict(Grid, {"nx": 4})              # Grid(nx=4, dx=0.01)
    from_dict(Grid, {"nx": 4, "dy": 0.1})   # ValueError: `Grid.dy` is not a field: ...

A list becomes the tuple, frozenset or array that the field declares, and a name the
enum member or dtype. A table names its class if several are possible: `{"class": ...}`.
"""

import contextlib
import difflib
import enum
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar

import numpy as np

from ..evolution import Type, format_type, parse_field
from ..frozen_dicts import frozendict
from ..keys.conversion import Converted
from ..keys.messages import a_or_an, format_line, shorten
from ..keys.names import is_found, is_generated
from ..mesh.fingerprints import format_static
from ..renames import former_names
from .differences import format_brief
from .documents import MISFITS, TEXT_FORMS, canonical, json_fault, read_plain
from .packing import Packing
from .reading import are_pairs
from .schemas import (
    ANY,
    Package,
    concrete,
    dtype_of,
    element,
    elements,
    is_array_type,
    is_concrete,
)

T = TypeVar("T")

# Types that JSON represents directly.
_PLAIN: Final[dict[str, type[Any]]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "None": type(None),
}
_LETTERS: Final = ("nan", "inf", "-inf")
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
    return from_dict(cls, read_plain(data))


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

    def _fields(self, cls: type[Any]) -> dict[str, Type]:
        """Return the types of the fields of a class."""
        fields = self.package.entry(self.package.name_of(cls))["fields"]
        return {name: parse_field(text)[1] for name, text in fields.items()}

    # --- to plain data

    def table(self, obj: Any, path: str) -> dict[str, Any]:
        """Return an object as a table of its fields."""
        return {
            name: self._to_plain(declared, getattr(obj, name), f"{path}.{name}")
            for name, declared in self._fields(type(obj)).items()
        }

    def _to_plain(self, declared: Type, value: Any, path: str) -> Any:
        plain = self._plain(declared, value, path)
        # If the type is ambiguous for a text, the text is read again and compared.
        members = [one for one in _members(declared) if one.name != "None"]
        is_exact = len({one.name for one in members}) < 2
        if is_exact and not any(m == ANY or is_array_type(m) for m in members):
            return plain
        try:
            again = self.value(declared, plain, path)
        except MISFITS:
            _refuse_plain(value, path)
        write = Packing(self.package).static
        if canonical(write(again, path)) != canonical(write(value, path)):
            raise TypeError(
                f"`{path}` is {format_brief(value)}, but would be read as {format_brief(again)}, "
                f"because `{format_type(declared)}` accepts both"
            )
        return plain

    def _plain(self, declared: Type, value: Any, path: str) -> Any:
        # Untyped copies: a failed check must not narrow their types.
        parts, package = value, self.package
        kind: Any = type(value)
        if fault := json_fault(value):
            raise TypeError(f"`{path}` {fault}")
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if value - value == 0 else str(value)
        if kind is complex:
            return self._plain(ANY, [value.real, value.imag], path)
        names = {*str(getattr(value, "name", "")).split("|")}
        is_member = isinstance(value, enum.Enum) and names <= {*type(value).__members__}
        if is_member or isinstance(value, np.dtype):
            return parts.name
        for form in TEXT_FORMS.values():
            if form.is_value(value):
                return form.write(value)
        if isinstance(value, np.ndarray) and value.dtype.kind != "c":
            return self._plain(ANY, value.tolist(), path)
        if kind is list:  # the numbers of an array
            return [self._plain(ANY, one, path) for one in parts]
        if is_generated(value):
            name = package.name_of(kind)
            known = [one.name for one in declared.members if package.is_class(one.name)]
            return ({} if known == [name] else {_CLASS: name}) | self.table(value, path)
        if type(value) is frozendict:
            types = (m.arguments for m in declared.members if m.name == "frozendict")
            of_keys, of = next(types, (ANY, ANY))
            pairs = [
                [
                    self._to_plain(of_keys, k, path),
                    self._to_plain(of, v, _item_path(path, k)),
                ]
                for k, v in parts.items()
            ]
            return dict(pairs) if all(type(key) is str for key in parts) else pairs
        if isinstance(value, tuple | frozenset):
            items = [
                self._to_plain(element(declared, i, package), one, f"{path}[{i}]")
                for i, one in enumerate(parts)
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
        record, fields = cls.__codegen_record__, self._fields(cls)
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

    def value(self, declared: Type, data: Any, path: str) -> Any:
        """Return the value of the first member of the type that takes it."""
        members = _members(declared)
        if any(type(data) is _PLAIN.get(format_type(one)) for one in members):
            return data
        is_table = isinstance(data, Mapping) and (
            _CLASS in data or all(one.name != "frozendict" for one in members)
        )
        names = [one.name for one in members if self.package.is_class(one.name)]
        if names and is_table:
            return self.object([*map(self.package.find_class, names)], data, path)
        others = [one for one in members if one.name != "None"]
        if len(others) == 1:
            return self._value(others[0], data, path)
        for one in others:
            with contextlib.suppress(TypeError, ValueError):
                return self._value(one, data, path)
        return _refuse(path, f"`{format_type(declared)}`", data)

    def _value(self, declared: Type, data: Any, path: str) -> Any:
        name = declared.name
        if name in _PLAIN and not declared.arguments:
            if name == "float" and (type(data) is int or data in _LETTERS):
                return data if type(data) is int else float(data)
            _refuse(path, a_or_an(name, ""), data)
        if name == "literal":
            same = type(data) is type(declared.value) and data == declared.value
            return data if same else _refuse(path, repr(declared.value), data)
        if name == "complex":
            if not isinstance(data, list | tuple) or len(data) != 2:
                _refuse(path, "a list of two numbers", data)
            return complex(*(self.value(Type("float"), one, path) for one in data))
        if name in ("tuple", "frozenset", "frozendict"):
            return self._container(declared, data, path)
        if is_array_type(declared):
            return self._array(name, data, path)
        kind = self.package.find_class(name) or self.package.find_import(name)
        if name in TEXT_FORMS or isinstance(kind, enum.EnumMeta):
            return self._of_text(name, kind, data, path)
        if self.package.is_class(name):
            return self.object([kind], data, path)
        if name == "Callable" or kind is not None:
            what = "function" if name == "Callable" else f"`{name}`"
            raise TypeError(
                f"`{path}` is a {what}, which plain data cannot contain: use `replace`"
            )
        return self._any(data, path)  # Or a type parameter.

    def _of_text(self, name: str, kind: Any, data: Any, path: str) -> Any:
        """Return the value of a type that is written as text, or the enum member."""
        form = TEXT_FORMS.get(name)
        with contextlib.suppress(*MISFITS, SyntaxError):
            if type(data) is str and name == "dtype":
                return np.dtype(data)  # any name that NumPy knows for it
            if type(data) is str:
                return form.read(data) if form else self.package.member(kind, data)
        listed = ", ".join(getattr(kind, "__members__", ()))
        return _refuse(path, form.called if form else f"one of {listed}", data)

    def _container(self, declared: Type, data: Any, path: str) -> Any:
        if declared.name == "frozendict":
            is_table = isinstance(data, Mapping)
            items = [*map(list, data.items())] if is_table else _as_list(data, path)
            if not are_pairs(items):
                _refuse(path, "a dict, or a list of pairs", data)
            key, item = declared.arguments
            return frozendict(
                (self.value(key, k, path), self.value(item, v, _item_path(path, k)))
                for k, v in items
            )
        items = _as_list(data, path)
        types = elements(declared, len(items), self.package)
        if types is None:
            _refuse(path, f"{len(declared.arguments)} elements", data)
        pairs = zip(types, items, strict=True)
        values = [
            self.value(of, one, f"{path}[{i}]") for i, (of, one) in enumerate(pairs)
        ]
        return tuple(values) if declared.name == "tuple" else frozenset(values)

    def _any(self, data: Any, path: str) -> Any:
        if isinstance(data, list):
            return tuple(self._any(one, path) for one in data)
        if isinstance(data, Mapping) and isinstance(data.get(_CLASS), str):
            kind = self.package.find_class(data[_CLASS])
            is_static = is_concrete(kind) and not kind.__codegen_record__.data_fields
            return self.object([kind] if is_static else [], data, path)
        is_plain_one = type(data) in _PLAIN.values()
        return data if is_plain_one else _refuse(path, "plain data", data)

    def _array(self, name: str, data: Any, path: str) -> Any:
        """Create a constant array; a decimal in a text is rounded like a literal."""
        try:
            source = np.asarray(_numbers(data))
            array = source.astype(dtype_of(name)) if name[-1].isdigit() else source
        except MISFITS:
            _refuse(path, f"an array of {name}", data)
        is_exact = np.array_equal(array, source, equal_nan=source.dtype.kind in "fc")
        is_rounded = source.dtype.kind == "f" and name[0] in "bfc"
        if source.dtype.kind not in "biufc" or not (is_exact or is_rounded):
            _refuse(path, f"an array of {name}", data)
        return array


def _members(declared: Type) -> list[Type]:
    """Return the members of a type. Callers may compare them by identity."""
    inner = [
        one.arguments[0] if one.name == "identity" else one for one in declared.members
    ]
    return [one for each in inner for one in each.members]


def _numbers(data: Any) -> Any:
    """Return lists of numbers, in which some may be texts such as "nan"."""
    if isinstance(data, list | tuple):
        return [_numbers(one) for one in data]
    return float(data) if type(data) is str and data in _LETTERS else data


def _as_list(data: Any, path: str) -> list[Any]:
    is_list = isinstance(data, list | tuple)
    return [*data] if is_list else _refuse(path, "a list", data)


def _item_path(path: str, key: Any) -> str:
    """Return the path of an item; its key may be of any length."""
    return f"{path}[{shorten(repr(key))}]"


def _refuse_plain(value: Any, path: str) -> NoReturn:
    raise TypeError(
        f"`{path}` is {a_or_an(type(value).__qualname__, '')}, which `to_dict` cannot "
        "represent with None, bools, numbers, strings, lists and dicts"
    )


def _refuse(path: str, expected: str, data: Any) -> NoReturn:
    text = f"{shorten(format_line(data), 60)} ({type(data).__name__})"
    raise TypeError(f"`{path}` takes {expected}, but was given {text}") from None
