"""Static values, read from JSON through every check.

    Reading(package, {}).static(["tuple", [1, ["float", "0x1.0000000000000p+0"]]], place)
    # (1, 1.0)

What is wrong with a value is a `Wrong`, which says it. That each is as `pack` writes it, is
asked of what was read: it is written again.
"""

import base64
import dataclasses
import enum
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from ..converters import is_named_tuple
from ..mesh.fingerprints import text_of
from ..statics.views import attributes, is_foreign_dataclass
from .arrays import constant, read_dtype
from .documents import MISFITS, Encoded, Wrong, canonical
from .fitting import ANY, is_told
from .packing import Packing
from .schemas import Package, Type

# Where there is nothing alike to compare with.
NOTHING: Final = object()


class Place(NamedTuple):
    """Where a value stands, and what is asked of it there."""

    path: str
    # What `declared` means by the names of classes.
    package: Package
    declared: Type = ANY
    like: Any = NOTHING
    # What `init` folds into its key on the way here; a stack is its path.
    steps: tuple[int | str, ...] = ()
    # Whether dtypes become wider ones.
    is_cast: bool = False
    # Whether the value goes to a function that knows what it was.
    is_migrating: bool = False

    def below(
        self, way: str, *steps: int, declared: Type = ANY, like: Any = NOTHING
    ) -> "Place":
        """Return the place of a part. Example of a way: ".blocks", "[0]"."""
        path = f"{self.path}{way}".removeprefix(".")
        whole = (*self.steps, *steps, *[path] * stacks(declared))
        return self._replace(path=path, declared=declared, like=like, steps=whole)


def stacks(declared: Type) -> int:
    """Return how many axes of layers are in front of what is declared."""
    inside = [one.arguments[0] for one in declared.members if one.name == "stacked"]
    return 1 + stacks(inside[0]) if inside else 0


class _Exact(Packing):
    """Writes values to be compared: those that no text tells apart, by identity."""

    def named(self, value: Any) -> list[Encoded]:
        text, *rest = super().named(value)
        return [text, id(value)] if rest else [text]


class Reading:
    """Reads static values, of the classes that a package's schemas lead to."""

    def __init__(self, package: Package, statics: Mapping[str, Any]) -> None:
        self.package = package
        # Values that no text can hold, by path.
        self.statics = statics
        # The paths of arrays and given values that found their places.
        self.used: set[str] = set()

    def object(self, place: Place, name: str, fields: dict[str, Encoded]) -> Any:
        """Return an object of a generated class."""
        raise NotImplementedError

    def static(self, code: Encoded, place: Place) -> Any:
        """Return a static value.

        Raises:
            Wrong: it is not what is written of a value, or of an unknown class
        """
        try:
            match code:
                case None | bool() | int() | str():
                    return code
                case ["object", str(name), dict(fields)]:
                    return self.object(place, name, fields)
                case ["int", str(text)]:
                    value: Any = int(text, 16)
                case ["float", str(text)]:
                    value = float.fromhex(text)
                case ["complex", str(real), str(imag)]:
                    value = complex(float.fromhex(real), float.fromhex(imag))
                case ["bytes", str(text)]:
                    value = base64.b64decode(text)
                case ["range", *numbers]:
                    value = range(*self._items(numbers, place))
                case ["dtype", str(text)]:
                    value = read_dtype(text)
                case ["constant", str(dtype), list(shape), str(text)]:
                    value = constant(dtype, shape, text)
                case ["scalar", str(dtype), list(shape), str(text)]:
                    value = constant(dtype, shape, text)[()]
                case _:
                    return self._composite(code, place)
        except MISFITS as error:
            raise Wrong(f"{shown(code)} is no value: {error}") from None
        if self.text(value) != canonical(code):
            raise Wrong(f"{shown(code)} is not how a value is written")
        return value

    def _composite(self, code: Encoded, place: Place) -> Any:
        match code:
            case ["tuple", list(items)]:
                return tuple(self._items(items, place))
            case ["frozenset", list(items)]:
                return _distinct(frozenset, self._items(items, place))
            case ["frozendict", list(items)] if are_pairs(items):
                pairs = [self._items(pair, place) for pair in items]
                return _distinct(imported("frozendict").frozendict, pairs)
            case ["enum", str(name), str(text)]:
                return self._member(name, text)
            case ["enum", str(name), ["value", number]]:
                kind = self.found(name, _is_enum, "enum")
                return kind(self.static(number, place))
            case ["namedtuple", str(name), dict(fields)]:
                kind = self.found(name, is_named_tuple, "named tuple")
                require_fields(kind, name, fields)
                given = self._fields(fields, place)
                return kind._make(given[one] for one in kind._fields)
            case ["dataclass", str(name), dict(fields)]:
                return self._dataclass(name, self._fields(fields, place))
            case ["named", str(text), *rest] if rest in ([], ["one"]):
                return self.named(place.path, text, is_told=not rest)
            case _:
                raise Wrong(f"a static value cannot be {shown(code)}")

    def _items(self, items: list[Encoded], place: Place) -> list[Any]:
        return [self.static(one, place.below(f"[{i}]")) for i, one in enumerate(items)]

    def _fields(self, fields: dict[str, Encoded], place: Place) -> dict[str, Any]:
        return {k: self.static(one, place.below(f".{k}")) for k, one in fields.items()}

    def _member(self, name: str, text: str) -> Any:
        kind = self.found(name, _is_enum, "enum")
        try:
            return self.package.member(kind, text)
        except KeyError:
            known = ", ".join(kind.__members__)
            raise Wrong(
                f"`{name}` has no member `{text}` now, it has {known}: if one of them "
                f"was called so, write `# codegen: was[{text}]` behind it"
            ) from None

    def _dataclass(self, name: str, given: dict[str, Any]) -> Any:
        kind = self.found(name, is_foreign_dataclass, "dataclass")
        init = {one.name for one in dataclasses.fields(kind) if one.init}
        try:
            made = kind(**{one: value for one, value in given.items() if one in init})
        except Exception as error:  # noqa: BLE001  Whatever a foreign class raises there.
            raise Wrong(f"`{name}` cannot be made of what was saved: {error}") from None
        pairs = ((value, given.get(one)) for one, value in attributes(made))
        if not all(self.text(one) == self.text(other) for one, other in pairs):
            raise Wrong(f"`{name}` makes another object of what was saved")
        return made

    def named(self, path: str, code: str, *, is_told: bool) -> Any:
        """Return a value of which there is a text alone: it has to be given."""
        # One function may have been given for several fields, if its name tells it.
        alike = (one for one in self.statics if is_told and self._is_called(one, code))
        one = path if path in self.statics else next(alike, None)
        if one is None:
            raise Wrong(
                f"is `{code}`, which is found by no text: give `statics={{{path!r}: ...}}`"
            )
        self.used.add(one)
        return self.statics[one]

    def _is_called(self, path: str, code: str) -> bool:
        given = self.statics[path]
        return is_told(given) and text_of(given, self.package.name) == code

    def text(self, value: Any) -> str:
        """Return the text of a static value, to be compared: `==` takes 1 for True."""
        return canonical(_Exact(self.package).static(value, ""))

    def found(self, name: str, is_one: Callable[[Any], bool], what: str) -> Any:
        """Return the class of a name, of a kind.

        Raises:
            Wrong: there is none
        """
        kind = self.package.find_class(name)
        if not isinstance(kind, type) or not is_one(kind):
            called = name.replace(":", ".").rpartition(".")[2]
            raise Wrong(
                f"the {what} `{name}` is none that the schemas declare or import: import "
                "its module before, or give `like=`; or, if it is called otherwise now, "
                f"write `# codegen: was[{called}]` behind it"
            )
        return kind


def require_fields(kind: Any, name: str, fields: Iterable[str]) -> None:
    """Refuse what was saved of a named tuple that has other fields now.

    Raises:
        Wrong: it has
    """
    if {*kind._fields} != {*fields}:
        raise Wrong(
            f"is a `{name}`, which has the fields {', '.join(kind._fields)} now"
        )


def are_pairs(items: list[Encoded]) -> bool:
    """Tell whether all items are lists of two."""
    return all(isinstance(one, list) and len(one) == 2 for one in items)


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


def _distinct(kind: Callable[[list[Any]], Any], items: list[Any]) -> Any:
    made = kind(items)
    if len(made) != len(items):
        raise Wrong("has an item twice")
    return made


def _is_enum(kind: type[Any]) -> bool:
    return issubclass(kind, enum.Enum)
