# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Static objects as plain data: what JSON, YAML and TOML hold.

    to_dict(Grid(nx=4))                     # {"nx": 4, "dx": 0.01}
    from_dict(Grid, {"nx": 4})              # Grid(nx=4, dx=0.01)
    from_dict(Grid, {"nx": 4, "dy": 0.1})   # ValueError: `Grid.dy` is no field: ...

What a text cannot tell apart, the declared types do: a list is the tuple, the frozenset or
the array that the field holds, a name the enum's member or the dtype.
"""

import base64
import difflib
import enum
import importlib
import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeVar

import numpy as np

from ..converters import is_plain
from ..keys.conversion import Converted
from ..keys.names import is_generated
from ..mesh.fingerprints import text_of
from .conversions import dtype_of
from .fitting import is_repeated, text
from .schemas import Package, Type, parse

# What NumPy raises where data is no array of a dtype.
_OF_MISFITS: Final = (TypeError, ValueError, OverflowError)

T = TypeVar("T")

_NUMBERS: Final[dict[str, Any]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (float, int),
    "str": (str,),
}
_LETTERS: Final = ("nan", "inf", "-inf")


def to_dict(obj: Any) -> dict[str, Any]:
    """Return a static object as a dict of plain data, nested ones too.

    Raises:
        TypeError: it is no static object, or holds what no text can say
    """
    _require_static(type(obj))
    return {field: _plain(getattr(obj, field), f"{type(obj).__qualname__}.{field}")
            for field in type(obj).__codegen_record__.meta_fields}  # fmt: skip


def to_json(obj: Any) -> str:
    """Return a static object as JSON, indented, as `to_dict` has it.

    Raises:
        TypeError: as `to_dict`
    """
    return json.dumps(to_dict(obj), indent=2, allow_nan=False)


def from_dict(cls: type[T], data: Mapping[str, Any]) -> T:
    """Make a static object of plain data, held against the declared types.

    What is left out has its default.

    Raises:
        TypeError: a value is of another type; it names the path
        ValueError: there is no such field, or it does not take the value
    """
    _require_static(cls)
    made: T = _Reading(Package.of(cls)).build(cls, data, cls.__qualname__)
    return made


def from_json(cls: type[T], data: str | bytes) -> T:
    """Make a static object of JSON, as `from_dict` does.

    Raises:
        TypeError: as `from_dict`
        ValueError: the same; or it is no JSON
    """
    return from_dict(cls, json.loads(data))


def _require_static(cls: Any) -> None:
    record = getattr(cls, "__codegen_record__", None)
    if record is None or record.data_fields:
        name = getattr(cls, "__qualname__", repr(cls))
        raise TypeError(f"`{name}` is no static class of a schema: `pack` takes states")


def _plain(value: Any, path: str) -> Any:
    # Not narrowed by what it turns out not to be.
    parts, kind = value, type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if value - value == 0 else str(value)
    if kind is complex:
        return [_plain(value.real, path), _plain(value.imag, path)]
    if kind is bytes:
        return base64.b64encode(value).decode()
    if isinstance(value, enum.Enum) and value.name:
        return value.name
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, np.ndarray) and is_plain(value.dtype):
        return value.tolist()
    if kind is frozenset:
        return sorted((_plain(one, path) for one in parts), key=json.dumps)
    if isinstance(value, tuple):
        return [_plain(one, f"{path}[{i}]") for i, one in enumerate(value)]
    if is_generated(value):
        return to_dict(value)
    if hasattr(kind, "__codegen_tag__"):
        pairs = [
            (_plain(key, path), _plain(one, f"{path}[{key!r}]"))
            for key, one in parts.items()
        ]
        return (
            dict(pairs)
            if all(type(key) is str for key in parts)
            else [[*p] for p in pairs]
        )
    if callable(value):
        return text_of(value, "")
    raise TypeError(
        f"`{path}` holds a {kind.__qualname__}, which plain data cannot say"
    )


class _Reading:
    """Makes values of declared types."""

    def __init__(self, package: Package) -> None:
        self.package = package

    def build(self, cls: Any, data: Any, path: str) -> Any:
        if not isinstance(data, Mapping):
            raise _mistyped(path, "a table of its fields", data)
        record = cls.__codegen_record__
        declared = self.package.entry(self.package.name_of(cls))["fields"]
        for name in data:
            if name not in declared:
                near = difflib.get_close_matches(str(name), declared, 1)
                hint = (
                    f"did you mean `{near[0]}`?"
                    if near
                    else f"it has {', '.join(declared)}"
                )
                raise ValueError(f"`{path}.{name}` is no field: {hint}")
        values: dict[str, Any] = {}
        for name in declared.keys() & data.keys():
            kind = parse(declared[name].partition(" ")[2])
            where, default = f"{path}.{name}", record.defaults.get(name)
            value = self.value(kind, data[name], where, default)
            values[name] = Converted(value) if name in record.converted else value
        try:
            return cls(**values)
        except (TypeError, ValueError) as error:
            raise type(error)(f"`{path}`: {error}") from None

    def value(self, declared: Type, data: Any, path: str, default: Any) -> Any:
        """Return the value of the first member of the type that takes it."""
        errors: list[Exception] = []
        for one in declared.members:
            try:
                return self._value(one, data, path, default)
            except (TypeError, ValueError) as error:
                is_said = str(error).startswith("`")
                errors.append(error if is_said else ValueError(f"`{path}`: {error}"))
        others = [
            e
            for one, e in zip(declared.members, errors, strict=True)
            if one.name != "None"
        ]
        if len(others) == 1:
            raise others[0]
        raise _mistyped(path, f"`{text(declared)}`", data)

    def _value(self, declared: Type, data: Any, path: str, default: Any) -> Any:
        name, inside = declared.name, declared.arguments
        kind = self.package.entry(name).get("kind")
        if name in _NUMBERS:
            if name == "float" and data in _LETTERS:
                return float(data)
            expected = "an int" if name == "int" else f"a {name}"
            is_one = type(data) in _NUMBERS[name]
            return data if is_one else _refuse(path, expected, data)
        if name == "None":
            return None if data is None else _refuse(path, "nothing", data)
        if name == "literal":
            same = type(data) is type(declared.value) and data == declared.value
            return data if same else _refuse(path, repr(declared.value), data)
        if name == "complex":
            parts = [self._value(_REAL, one, path, None) for one in _listed(data, path)]
            return (
                complex(*parts)
                if len(parts) == 2
                else _refuse(path, "two numbers", data)
            )
        if name == "bytes":
            is_text = type(data) is str
            return (
                base64.b64decode(data, validate=True)
                if is_text
                else _refuse(path, "base64", data)
            )
        if name == "Any":
            return self._any(data, path)
        if name == "dtype":
            try:
                return np.dtype(data if isinstance(data, str) else "")
            except TypeError:
                _refuse(path, "a dtype's name", data)
        if name in ("tuple", "frozenset", "frozendict"):
            return self._container(declared, data, path)
        if kind == "enum":
            members = self.package.find_class(name).__members__
            if not isinstance(data, str) or data not in members:
                _refuse(path, f"one of {', '.join(members)}", data)
            return members[data]
        if kind == "class":
            return self.build(self.package.find_class(name), data, path)
        if callable(default) and isinstance(data, str) and text_of(default, "") == data:
            return default
        if inside and name == "Callable":
            raise TypeError(
                f"`{path}` is a function, which plain data cannot say: use `replace`"
            )
        return self._array(name, data, path)

    def _container(self, declared: Type, data: Any, path: str) -> Any:
        name, inside = declared.name, declared.arguments
        if name == "frozendict":
            # Few schemas need it.
            frozendict = importlib.import_module("..frozendict", __package__).frozendict
            items = data.items() if isinstance(data, Mapping) else _listed(data, path)
            key, item = inside
            return frozendict(
                (
                    self.value(key, k, path, None),
                    self.value(item, v, f"{path}[{k!r}]", None),
                )
                for k, v in items
            )
        items = _listed(data, path)
        if name == "tuple" and not is_repeated(declared, self.package):
            inside = tuple(one for one in inside if one.name != "()")
            if len(inside) != len(items):
                _refuse(path, f"{len(inside)} elements", data)
        else:
            inside = inside[:1] * len(items)
        pairs = zip(inside, items, strict=True)
        made = [
            self.value(t, one, f"{path}[{i}]", None) for i, (t, one) in enumerate(pairs)
        ]
        return tuple(made) if name == "tuple" else frozenset(made)

    def _any(self, data: Any, path: str) -> Any:
        if isinstance(data, list):
            return tuple(self._any(one, path) for one in data)
        is_plain_one = data is None or type(data) in (bool, int, float, str)
        return data if is_plain_one else _refuse(path, "plain data", data)

    def _array(self, name: str, data: Any, path: str) -> Any:
        """Make a constant; a decimal number of a text is rounded as a literal would be."""
        try:
            found = np.asarray(data)
            made = found.astype(dtype_of(name)) if name[-1].isdigit() else found
        except _OF_MISFITS:
            _refuse(path, f"an array of {name}", data)
        is_exact = np.array_equal(made, found, equal_nan=found.dtype.kind in "fc")
        is_rounded = found.dtype.kind == "f" and name[0] in "bfc"
        if found.dtype.kind not in "biufc" or not (is_exact or is_rounded):
            _refuse(path, f"an array of {name}", data)
        return made


_REAL: Final = Type("float")


def _listed(data: Any, path: str) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise _mistyped(path, "a list", data)
    return [*data]


def _mistyped(path: str, expected: str, data: Any) -> TypeError:
    found = repr(data) if len(repr(data)) < 60 else type(data).__name__
    return TypeError(
        f"`{path}` takes {expected}, but was given {found} ({type(data).__name__})"
    )


def _refuse(path: str, expected: str, data: Any) -> NoReturn:
    raise _mistyped(path, expected, data)
