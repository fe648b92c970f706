"""Static objects as plain data that JSON, YAML and TOML can represent.

    to_dict(Grid(nx=4))                     # {"nx": 4, "dx": 0.01}
    from_dict(Grid, {"nx": 4})              # Grid(nx=4, dx=0.01)
    from_dict(Grid, {"nx": 4, "dy": 0.1})   # ValueError: `Grid.dy` is not a field: ...

A list becomes the tuple, frozenset or array that the field declares, and a name the
enum member or dtype. A table names its class if several are possible: `{"class": ...}`.
`FORMS` has the plain form of each type without parts. The constructor checks the values.
"""

import contextlib
import dataclasses
import difflib
import enum
import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar

from ..declared import (
    Declared,
    Each,
    Foreign,
    Items,
    Literal,
    Part,
    Shaped,
    Word,
    described,
    resolved,
)
from ..frozen_dicts import frozendict
from ..keys.conversion import Converted, is_same
from ..keys.messages import a_or_an, format_line, shorten
from ..keys.names import Generated, is_found, is_generated
from ..mesh.fingerprints import format_static
from ..renames import former_names
from .differences import noun
from .documents import MISFITS, are_pairs
from .packing import FORMS, form_of
from .schemas import Package, concrete, is_concrete, item_type, members, type_text

T = TypeVar("T")

# Types that JSON represents directly.
_PLAIN: Final = (type(None), bool, int, str)
# A keyword, so no field can have this name.
_CLASS: Final = "class"


def to_dict(obj: Any) -> dict[str, Any]:
    """Return a static object as a dict of plain data, including nested objects.

    Raises:
        TypeError: it is not a static object, or has a value that `from_dict` would not
            return exactly
    """
    _require_static(type(obj))
    return _Plain(type(obj)).table(obj, "")


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
        obj: T = _Plain(cls).object([cls], data, "")
    except RecursionError:
        raise ValueError(f"`{cls.__qualname__}` is nested too deeply") from None
    return obj


def from_json(cls: type[T], data: str | bytes) -> T:
    """Create a static object from JSON. Raises the same errors as `from_dict`, too.

    Raises:
        ValueError: it is not JSON, has a key twice, or a number that no float holds
    """
    try:
        plain = json.loads(
            data,
            object_pairs_hook=_distinct,
            parse_float=_finite,
            parse_constant=_finite,
        )
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    return from_dict(cls, plain)


def _require_static(cls: Any) -> None:
    record = getattr(cls, "__codegen_record__", None)
    if record is None or record.data_fields:
        name = getattr(cls, "__qualname__", repr(cls))
        raise TypeError(f"`{name}` is not a static class. For arrays, use `pack`")


class _Plain:
    """Converts values of declared types to plain data, and back. A path is within the
    outermost object, whose class is `owner`.
    """

    def __init__(self, owner: type[Any]) -> None:
        self.owner = owner
        self.package = Package.of(owner)
        # The functions that were written, by their texts. Others cannot be read.
        self.functions: dict[str, Any] = {}

    def place(self, path: str) -> str:
        """Return a path with the name of the outermost class."""
        return f"{self.owner.__qualname__}.{path}".rstrip(".")

    # --- to plain data

    def table(self, obj: Any, path: str) -> dict[str, Any]:
        """Return an object as a table of its fields."""
        return {
            name: self.plain(declared, getattr(obj, name), _below(path, name))
            for name, declared in _fields(type(obj)).items()
        }

    def plain(self, declared: Declared, value: Any, path: str) -> Any:
        """Return a value as plain data, by way of JSON read again as the same value."""
        plain = self._plain(declared, value, path)
        try:
            text = json.dumps(plain, allow_nan=False)
            again = self.value(declared, json.loads(text), path)
        except MISFITS:
            self._refuse_plain(value, path)
        if not is_same(again, value):
            raise TypeError(
                f"`{self.place(path)}` is {noun(value)}, but would be read as "
                f"{noun(again)}, because `{self._text(declared)}` accepts both"
            )
        return plain

    def _plain(self, declared: Declared, value: Any, path: str) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if is_generated(value):
            name = self.package.name_of(kind)
            known = [self.package.name_of(one) for one in _classes(declared)]
            return ({} if known == [name] else {_CLASS: name}) | self.table(value, path)
        _, form = form_of(value) or ("", None)
        if form and form.to_plain:
            return form.to_plain(value)
        if isinstance(value, enum.Enum):
            return value.name
        if kind is frozendict:
            of = next((m for m in members(declared) if isinstance(m, Each)), None)
            key, item = (of.key, of.item) if of else (Any, Any)
            pairs = [
                [self.plain(key, k, path), self.plain(item, v, _item_path(path, k))]
                for k, v in value.items()
            ]
            return dict(pairs) if all(type(one) is str for one in value) else pairs
        if isinstance(value, tuple | frozenset):
            items = [
                self.plain(item_type(declared, i), one, f"{path}[{i}]")
                for i, one in enumerate(value)
            ]
            return items if isinstance(value, tuple) else sorted(items, key=json.dumps)
        if not callable(value) or not is_found(value):
            self._refuse_plain(value, path)
        text = format_static(value, "")
        self.functions[text] = value
        return text

    # --- from plain data

    def object(self, bases: Sequence[Any], data: Any, path: str) -> Any:
        """Return an object of one of some classes, or of their subclasses."""
        if not isinstance(data, Mapping):
            self._refuse(path, "a dict with one entry for each field", data)
        cls = self._class(bases, data, path)
        record, fields = cls.__codegen_record__, _fields(cls)
        former = self.package.entry(self.package.name_of(cls)).get("former", {})
        saved = former_names(data, fields, former)
        names = former | {old: name for name, old in saved.items()}
        values: dict[str, Any] = {}
        for key, one in data.items():
            name, shown = names.get(key, key), self.place(_below(path, f"{key}"))
            # A field that is left out has its default, so a missing name proves nothing.
            if key != name and key in fields and key not in saved:
                raise ValueError(
                    f"`{shown}` may also be the former name of `{name}`: add `{name}`"
                )
            if name == _CLASS:
                continue
            if name in values:
                shown = self.place(_below(path, name))
                raise ValueError(f"`{shown}` is given under two names")
            if name not in fields:
                near = difflib.get_close_matches(shorten(str(key)), fields, 1)
                has = f"the fields are {', '.join(fields)}"
                hint = f"did you mean `{near[0]}`?" if near else has
                raise ValueError(f"`{shorten(shown, 200)}` is not a field: {hint}")
            default = record.defaults.get(name)
            if is_found(default) and str(one) == format_static(default, ""):
                continue
            value = self.value(fields[name], one, _below(path, name))
            values[name] = Converted(value) if name in record.converted else value
        try:
            return record.create(**values)
        except (TypeError, ValueError) as error:
            raise type(error)(f"`{self.place(path)}`: {error}") from None

    def _class(self, bases: Sequence[Any], data: Mapping[str, Any], path: str) -> Any:
        """Return the class of a table: the one it names, or the only one possible."""
        if _CLASS not in data and len(bases) == 1 and is_concrete(bases[0]):
            return bases[0]
        kinds = [one for base in bases for one in concrete(base)]
        # After a reload, the last class has the name.
        classes = {self.package.name_of(one): one for one in kinds}
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
            self._refuse(_below(path, _CLASS), expected, named)
        raise TypeError(
            f"`{self.place(path)}` does not name its class: add `{_CLASS}`, {expected}"
        )

    def value(self, declared: Declared, data: Any, path: str) -> Any:
        """Return the value of the first member of the type that takes it."""
        several = members(declared)
        if data is None and None in several:
            return data
        # The type that is exactly that of the data comes first.
        options = sorted(
            (one for one in several if one is not None),
            key=lambda one: one is not type(data),
        )
        if isinstance(data, Mapping) and (classes := _classes(declared)):
            has_tables = any(
                isinstance(m, Each) and m.kind is frozendict for m in options
            )
            if _CLASS in data or not has_tables:
                return self.object(classes, data, path)
        if len(options) == 1:
            return self._value(options[0], data, path)
        for one in options:
            with contextlib.suppress(TypeError, ValueError):
                return self._value(one, data, path)
        return self._refuse(path, f"`{self._text(declared)}`", data)

    def _value(self, declared: Declared, data: Any, path: str) -> Any:
        if classes := _classes(declared):
            return self.object(classes, data, path)
        name, wanted = self._text(declared), ""
        read: Callable[[Any], Any]
        match declared:
            case Each() | Items():
                return self._container(declared, data, path)
            case Literal(values=values):
                wanted, read = name, functools.partial(_literal, values)
            case Shaped():
                wanted = f"an array of {name}"
                read = functools.partial(FORMS["constant"].from_plain, declared.dtype)
            case enum.EnumMeta() | Foreign(kind=enum.EnumMeta()):
                kind: Any = getattr(declared, "kind", declared)
                wanted = f"one of {', '.join(kind.__members__)}"
                read = functools.partial(self.package.member, kind)
            case Word(name="Callable" | "identity") | Foreign():
                if type(data) is str and data in self.functions:
                    return self.functions[data]
                what = "function" if isinstance(declared, Word) else f"`{name}`"
                raise TypeError(
                    f"`{self.place(path)}` is a {what}, which plain data cannot "
                    "contain: use `replace`"
                )
            case _ if name in FORMS:
                wanted, read = FORMS[name].wanted, FORMS[name].from_plain
            case _ if isinstance(data, list):  # Any, or a type parameter.
                return self._container(Each(Any), data, path)
            case _ if isinstance(data, Mapping) and isinstance(data.get(_CLASS), str):
                kind = self.package.find_class(data[_CLASS])
                is_static = (
                    is_concrete(kind) and not kind.__codegen_record__.data_fields
                )
                return self.object([kind] if is_static else [], data, path)
            case _:
                is_plain = type(data) in (*_PLAIN, float)
                return data if is_plain else self._refuse(path, "plain data", data)
        try:
            data = read(data)
        except (*MISFITS, SyntaxError):
            self._refuse(path, wanted, data)
        return described(declared).static(data, self.owner, path)[0]

    def _container(self, declared: Each | Items, data: Any, path: str) -> Any:
        if isinstance(declared, Each) and declared.kind is frozendict:
            is_table = isinstance(data, Mapping)
            items = [*map(list, data.items())] if is_table else self._list(data, path)
            if not are_pairs(items):
                self._refuse(path, "a dict, or a list of pairs", data)
            key, item = declared.key, declared.item
            return frozendict(
                (self.value(key, k, path), self.value(item, v, _item_path(path, k)))
                for k, v in items
            )
        items = self._list(data, path)
        if isinstance(declared, Items) and len(items) != len(declared.items):
            self._refuse(path, f"{len(declared.items)} elements", data)
        values = [
            self.value(item_type(declared, i), one, f"{path}[{i}]")
            for i, one in enumerate(items)
        ]
        is_set = isinstance(declared, Each) and declared.kind is frozenset
        return frozenset(values) if is_set else tuple(values)

    def _list(self, data: Any, path: str) -> list[Any]:
        is_list = isinstance(data, list | tuple)
        return [*data] if is_list else self._refuse(path, "a list", data)

    # --- texts

    def _text(self, declared: Declared) -> str:
        return type_text(declared, self.package.name)

    def _refuse_plain(self, value: Any, path: str) -> NoReturn:
        raise TypeError(
            f"`{self.place(path)}` is {a_or_an(type(value).__qualname__, '')}, which "
            "`to_dict` cannot represent with None, bools, numbers, strings, lists and "
            "dicts"
        ) from None

    def _refuse(self, path: str, expected: str, data: Any) -> NoReturn:
        text = f"{shorten(format_line(data), 60)} ({type(data).__name__})"
        raise TypeError(
            f"`{self.place(path)}` takes {expected}, but was given {text}"
        ) from None


def _fields(cls: type[Any]) -> dict[str, Declared]:
    """Return the types of the fields of a class, in the order of its schema."""
    types = cls.__codegen_record__.meta_fields
    return {field.name: types[field.name] for field in dataclasses.fields(cls)}


def _classes(declared: Declared) -> list[Any]:
    """Return the generated classes among the members of a type."""
    each = (one.cls if isinstance(one, Part) else one for one in members(declared))
    kinds = map(resolved, each)
    return [k for k in kinds if isinstance(k, type) and issubclass(k, Generated)]


def _literal(values: Sequence[Any], data: Any) -> Any:
    # `==` treats 1 as True.
    return {(type(one), one): one for one in values}[type(data), data]


def _below(path: str, name: str) -> str:
    return f"{path}.{name}".removeprefix(".")


def _item_path(path: str, key: Any) -> str:
    """Return the path of an item; its key may be of any length."""
    return f"{path}[{shorten(repr(key))}]"


# --- JSON


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for name, count in Counter(name for name, _ in pairs).most_common(1):
        if count > 1:
            raise ValueError(f"the key {name[:40]!r} appears twice")
    return dict(pairs)


def _finite(number: str) -> float:
    value = float(number)
    if value - value != 0:
        raise ValueError(
            f"{number[:20]} is not a finite float. Write a finite number, or the string "
            '"inf", "-inf" or "nan"'
        )
    return value
