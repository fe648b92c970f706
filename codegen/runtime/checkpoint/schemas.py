"""What the schemas declare, and the classes that go by its names.

    package = Package.of(Plate)
    package.entry("heat.Grid")["fields"]["nx"]      # 'static int'
    package.find_class("heat.Grid")                 # the class, if it was imported

The table is written beside the support package, by `features = ["checkpoint"]`. Nothing is
imported on a checkpoint's word: a class is found where the schemas have it, in a module
that is there already.
"""

import dataclasses
import enum
import functools
import importlib
import inspect
import operator
import pkgutil
import sys
from collections.abc import Iterator
from typing import Any

from ..converters import is_named_tuple
from ..evolution import Declarations, Entry
from ..keys.names import qualified
from .documents import CheckpointError


@dataclasses.dataclass(frozen=True)
class Package(Declarations):
    """A generated package."""

    name: str  # with a dot behind it

    @classmethod
    def of(cls, kind: type[Any]) -> "Package":
        """Return the package of a generated class.

        Raises:
            CheckpointError: it was built without `features = ["checkpoint"]`
            TypeError: the class is not generated
        """
        name = getattr(kind, "__qualname__", type(kind).__qualname__)
        record = getattr(kind, "__codegen_record__", None)
        if record is None:
            raise TypeError(f"`{name}` is no class that a schema declares")
        if not inspect.isclass(kind):
            raise TypeError(f"give its class, not a `{name}`")
        return _package(record.package)

    def entry(self, name: str) -> Entry:
        """Return what is declared under a name; of a Python subclass, what its base has."""
        if found := super().entry(name):
            return found
        record = getattr(self.find_class(name), "__codegen_record__", None)
        # Of another package.
        return _package(record.package).table.get(record.schema, {}) if record else {}

    def is_class(self, name: str) -> bool:
        """Tell whether a name is that of a class of the schemas."""
        return self.entry(name).get("kind") == "class"

    @functools.cached_property
    def imports(self) -> frozenset[str]:
        """What the schemas import from outside. Example: "optax:OptState"."""
        return self._named("imports")

    @functools.cached_property
    def dims(self) -> frozenset[str]:
        """The dimensions of all modules, and the parameters of all classes."""
        return self._named("dims") | self._named("parameters")

    def _named(self, what: str) -> frozenset[str]:
        entries = self.table.values()
        return frozenset(name for one in entries for name in one.get(what, ()))

    def now(self, name: str) -> str:
        """Return what a class or enum is called now; of a Python subclass, what its base is."""
        if name not in self.table and (found := self._subclass(name)):
            return str(found.__codegen_record__.schema)
        return super().now(name)

    def name_of(self, kind: type[Any]) -> str:
        """Return the name of a class: of its schema, or `module:name`."""
        module, name = qualified(kind)
        own = str(module).removeprefix(self.name)
        return f"{own}.{name}" if f"{own}.{name}" in self.table else f"{module}:{name}"

    def find_class(self, name: str) -> Any:
        """Return the class of a name, None where the schemas do not lead to one."""
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
        # All of a module is there after `import lib`.
        is_imported |= f"{module}:" in self.imports
        if is_imported or module.startswith(self.name):
            return found
        # Data alone: nothing of theirs runs when they are made.
        is_data = isinstance(found, type) and (
            is_concrete(found) or issubclass(found, enum.Enum) or is_named_tuple(found)
        )
        packages = {one.partition(":")[0].partition(".")[0] for one in self.imports}
        return found if is_data and module.partition(".")[0] in packages else None

    def member(self, kind: Any, said: str) -> Any:
        """Return a member of an enum by its name, or what flags make, as "READ|WRITE".

        Raises:
            KeyError: it has none that is called so, or was
        """
        former = self.entry(self.name_of(kind)).get("former", {})
        names = [said] if said in kind.__members__ else said.split("|")
        found = [kind[former.get(one, one)] for one in names]
        if len(found) > 1 and not issubclass(kind, enum.Flag):
            raise KeyError(said)
        return functools.reduce(operator.or_, found)

    def find_import(self, name: str) -> Any:
        """Return what the schemas import under a name with dots, "optax.OptState"."""
        for one in self.imports:
            module, _, inside = one.partition(":")
            rest = name.removeprefix(f"{module}.")
            # All of a module is there after `import lib`.
            if rest != name and inside in ("", rest):
                return _found(module, rest)
        return None

    def _subclass(self, name: str) -> Any:
        """Return the Python subclass of a generated class, `plug_ins:Bohm`, if it was imported."""
        module, _, inside = name.partition(":")
        found = _found(module, inside)
        record = getattr(found, "__dict__", {}).get("__codegen_record__")
        if record is None or record.cls is not found or record.package != self.name:
            return None
        return found


@functools.cache
def _package(name: str) -> Package:
    try:
        module = importlib.import_module(f"{name}_runtime.checkpoint.declared")
    except ModuleNotFoundError:
        raise CheckpointError(
            f"`{name.rstrip('.')}` was built without what its schemas declare: write "
            '`features = ["checkpoint"]` below `[tool.codegen]`, and build again'
        ) from None
    table: dict[str, Entry] = {}
    for found in pkgutil.walk_packages(module.__path__, f"{module.__name__}."):
        if not found.ispkg:
            table |= importlib.import_module(found.name).DECLARED
    return Package(table, name)


def _found(module: str, name: str) -> Any:
    """Return what a module that was imported holds; no code of it is run."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, "__dict__", {}).get(part) if found is not None else None
    return found


def is_concrete(kind: Any) -> bool:
    """Tell whether a class is a generated one of which there are objects."""
    record = getattr(kind, "__codegen_record__", None)
    is_own = record is not None and record.cls is kind
    return is_own and not inspect.isabstract(kind)


def concrete(kind: Any) -> Iterator[Any]:
    """Yield the generated classes at and below one of which there are objects."""
    if is_concrete(kind):
        yield kind
    for one in kind.__subclasses__():
        yield from concrete(one)
