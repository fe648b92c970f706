"""The declarations of the schemas, the classes with their names, and which values fit a
type.

    package = Package.of(Plate)
    package.entry("heat.Grid")["fields"]["nx"]      # 'static int'
    package.find_class("heat.Grid")                 # the class, if it was imported
    fits((1.0, 2.0), parse("tuple[float, ...]"), package)    # True

The records of the classes give the declarations, see `declarations.py`. A checkpoint
never causes an import: a class is found where the schemas have it, in a module that is
already imported.
"""

import dataclasses
import enum
import functools
import inspect
import itertools
import operator
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

import jax
import numpy as np

from ..classes.registration import Record
from ..evolution import Declarations, Entry, Type
from ..keys.names import (
    KINDS,
    ModuleFacts,
    generated_modules,
    has_class_name,
    module_and_name,
)
from ..sharing import HOLE
from ..statics.views import is_named_tuple
from .declarations import declarations, modules_of

ANY: Final = Type("Any")
_ARRAY: Final = re.compile(r"[fiuc]\d+|bf16|f8_\w+|[iu][24]|bool|key")
NUMBERS: Final = (bool, int, float, complex)
_SEQUENCES: Final[dict[str, Any]] = {"list": list, "Sequence": tuple, "tuple": tuple}
_MAPPINGS: Final = ("dict", "Mapping", "frozendict")
_SINGLE: Final[dict[str, type[Any]]] = {"None": type(None), "str": str, "bytes": bytes}
_LETTERS: Final = {"f": "float", "i": "int", "u": "uint", "c": "complex"}


@dataclasses.dataclass(frozen=True)
class Package(Declarations):
    """A generated package."""

    name: str  # ends with a dot

    @classmethod
    def of(cls, kind: type[Any]) -> "Package":
        """Return the package of a generated class.

        Raises:
            TypeError: the class is not generated, or belongs to another run time
        """
        name = getattr(kind, "__qualname__", type(kind).__qualname__)
        record = getattr(kind, "__codegen_record__", None)
        if record is None:
            raise TypeError(f"`{name}` is not a generated class")
        if not inspect.isclass(kind):
            raise TypeError(f"pass the class `{name}`, not an instance")
        if not isinstance(record, Record):
            # Another copy of the run time has its own facts about its modules.
            own = type(record).__module__.removesuffix(".classes.registration")
            part = __name__.removesuffix(".checkpoint.schemas")
            raise TypeError(
                f"the module of `{name}` uses the run time `{own}`: import what you call "
                f"from there, not from `{part}`"
            )
        return _package(record.package)

    def entry(self, name: str) -> Entry:
        """Return the declaration of a name; for a Python subclass, that of its base."""
        if found := super().entry(name):
            return found
        record = getattr(self.find_class(name), "__codegen_record__", None)
        # A class of another package.
        return _package(record.package).table.get(record.schema, {}) if record else {}

    def is_class(self, name: str) -> bool:
        """Return whether a name is a class of the schemas."""
        return self.entry(name).get("kind") == "class"

    @functools.cached_property
    def imports(self) -> frozenset[str]:
        """Names that the schemas import from outside. Example: "optax:OptState"."""
        return self._named("imports")

    @functools.cached_property
    def dims(self) -> frozenset[str]:
        """The dimensions in the fields of all classes."""
        return self._named("dims")

    def _named(self, what: str) -> frozenset[str]:
        entries = self.table.values()
        return frozenset(name for one in entries for name in one.get(what, ()))

    def now(self, name: str) -> str:
        """Return the current name of a class or enum; for a Python subclass, that of
        its base.
        """
        if name not in self.table and (found := self._subclass(name)):
            return str(found.__codegen_record__.schema)
        return super().now(name)

    def name_of(self, kind: type[Any]) -> str:
        """Return the name of a class: of its schema, or `module:name`."""
        module, name = module_and_name(kind)
        own = str(module).removeprefix(self.name)
        return f"{own}.{name}" if f"{own}.{name}" in self.table else f"{module}:{name}"

    def find_class(self, name: str) -> Any:
        """Return the class of a name, or None if it is not reachable from the schemas."""
        if found := self._subclass(name):
            return found
        name = self.now(name)
        if name in self.table:
            module, _, inside = name.rpartition(".")
            return _found(f"{self.name}{module}", inside)
        module, colon, inside = name.partition(":")
        if not colon:
            return None
        found = _found(module, inside)
        is_imported = any(_found(*one.split(":")) is found for one in self.imports)
        # `import lib` makes everything in the module available.
        is_imported |= f"{module}:" in self.imports
        if is_imported or module.startswith(self.name):
            return found
        # Only data classes: creating an object of them runs no foreign code.
        is_data = isinstance(found, type) and (
            is_concrete(found) or issubclass(found, enum.Enum) or is_named_tuple(found)
        )
        packages = {one.partition(":")[0].partition(".")[0] for one in self.imports}
        return found if is_data and module.partition(".")[0] in packages else None

    def member(self, kind: Any, text: str) -> Any:
        """Return the enum member of a name, or a combination of flags, such as
        "READ|WRITE".

        Raises:
            KeyError: it has no member with that name, or former name
        """
        former = self.entry(self.name_of(kind)).get("former", {})
        names = [text] if text in kind.__members__ else text.split("|")
        members = [kind[former.get(one, one)] for one in names]
        if len(members) > 1 and not issubclass(kind, enum.Flag):
            raise KeyError(text)
        return functools.reduce(operator.or_, members)

    def find_import(self, name: str) -> Any:
        """Return the object that the schemas import under a dotted name,
        "optax.OptState".
        """
        for one in self.imports:
            module, _, inside = one.partition(":")
            rest = name.removeprefix(f"{module}.")
            # `import lib` makes everything in the module available.
            if rest != name and inside in ("", rest):
                return _found(module, rest)
        return None

    def _subclass(self, name: str) -> Any:
        """Return the Python subclass of a generated class, `plug_ins:Bohm`, if it was
        imported.
        """
        module, _, inside = name.partition(":")
        found = _found(module, inside)
        record = getattr(found, "__dict__", {}).get("__codegen_record__")
        if record is None or record.cls is not found or record.package != self.name:
            return None
        return found


def _package(name: str) -> Package:
    # An import adds names to a module, and a reload creates other facts.
    modules = ((m, generated_modules[m]) for m in modules_of(name))
    return _known_package(
        name, *((one, len(vars(sys.modules[m]))) for m, one in modules)
    )


@functools.lru_cache(maxsize=64)
def _known_package(name: str, *_state: tuple[ModuleFacts, int]) -> Package:
    return Package(declarations(name), name)


def _found(module: str, name: str) -> Any:
    """Return an object of a module that is already imported, without running its code."""
    value: Any = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, "__dict__", {}).get(part) if value is not None else None
    return value


def is_concrete(kind: Any) -> bool:
    """Return whether a class is generated and not abstract."""
    record = getattr(kind, "__codegen_record__", None)
    is_own = record is not None and record.cls is kind
    return is_own and not inspect.isabstract(kind)


def concrete(kind: Any) -> Iterator[Any]:
    """Yield a generated class and its subclasses, except abstract ones."""
    if is_concrete(kind):
        yield kind
    for one in kind.__subclasses__():
        yield from concrete(one)


# --- declared types


def fits(value: Any, declared: Type, package: Package) -> bool:
    """Return whether a dynamic field of a type may have a value."""
    kind: Any = type(value)
    # optax's masks replace an array by an empty named tuple.
    if value is HOLE or (is_named_tuple(kind) and not value):
        return True
    return any(_fits(value, one, package) for one in declared.members)


def _fits(value: Any, declared: Type, package: Package) -> bool:
    name = declared.name
    if name in _SINGLE:
        return type(value) is _SINGLE[name]
    if is_array_type(declared) or name in ("int", "float", "complex"):
        return is_array(value) or type(value) in NUMBERS
    if name in _MAPPINGS or name in _SEQUENCES:
        if not isinstance(value, _SEQUENCES.get(name, dict)):
            return False
        items = [*(value.values() if name in _MAPPINGS else value)]
        types = elements(declared, len(items), package)
        if types is None:
            return False
        return all(map(fits, items, types, itertools.repeat(package)))
    if name == "stacked":
        return fits(value, declared.arguments[0], package)
    # Compared by name: objects from before a reload are accepted.
    return has_class_name(value, name) if package.is_class(name) else True


def is_array_type(declared: Type) -> bool:
    """Return whether a type is an array type."""
    return declared.name in KINDS or _ARRAY.fullmatch(declared.name) is not None


def is_repeated(declared: Type, package: Package) -> bool:
    """Return whether a tuple has a length given by a dimension, or any length."""
    if len(declared.arguments) != 2:
        return False
    last = declared.arguments[1].name
    # Arithmetic of dimensions contains spaces.
    return last in package.dims or last == "..." or last.isdecimal() or " " in last


def element(declared: Type, index: int, package: Package) -> Type:
    """Return the declared type of one element of a container."""
    for one in declared.members:
        if one.name in _MAPPINGS:
            return one.arguments[1]
        is_each = one.name != "tuple" or is_repeated(one, package)
        is_one = one.name in _SEQUENCES or one.name == "frozenset"
        if is_one and (is_each or index < len(one.arguments)):
            return one.arguments[0 if is_each else index]
    return ANY


def elements(declared: Type, count: int, package: Package) -> list[Type] | None:
    """Return the declared types of a number of elements; None if a tuple has another
    length.
    """
    is_fixed = declared.name == "tuple" and not is_repeated(declared, package)
    if is_fixed and count != len(declared.arguments):
        return None
    return [element(declared, i, package) for i in range(count)]


def is_array(value: Any) -> bool:
    """Return whether a value is an array or a `ShapeDtypeStruct`."""
    return isinstance(value, jax.Array | np.ndarray | np.generic | jax.ShapeDtypeStruct)


def stacks(declared: Type) -> int:
    """Return the number of leading layer axes of a declared type."""
    inside = [one.arguments[0] for one in declared.members if one.name == "stacked"]
    return 1 + stacks(inside[0]) if inside else 0


def dtype_of(word: str) -> str:
    """Return NumPy's name of a dtype. Example: "float32" for "f32"."""
    return re.sub(r"^(b?)([fiuc])(?=\d)", lambda m: m[1] + _LETTERS[m[2]], word)
