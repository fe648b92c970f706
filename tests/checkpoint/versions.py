"""Objects of two versions of a schema: the earlier one is saved, the later one is unpacked.

versions = Versions(folder / "previous", folder / "current", site)
versions.outcome("bar.Net", 0)      # the restored object, or the CheckpointError
"""

import importlib
import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from codegen.runtime import Converted, frozendict
from codegen.runtime.checkpoint import CheckpointError, pack, unpack
from codegen.runtime.checkpoint.schemas import Package, dtype_of, is_repeated
from codegen.runtime.checkpoint.schemas import _package as package_of
from codegen.runtime.evolution import Type, parse_type
from tests.generated.package import rendered, write

_count = itertools.count()
_SCALARS: dict[str, Any] = {
    "int": 2, "float": 0.5, "complex": 1j, "bool": True, "str": "a", "bytes": b"a", "None": None,
    "Any": 1, "dtype": np.dtype("float32"),
}  # fmt: skip
_DIMS = {"nx": 3, "n": 4, "m": 5}


class Versions:
    """Two packages, each built from a folder of schemas."""

    def __init__(self, previous: Path, current: Path, site: Path) -> None:
        self.number = next(_count)
        self.old = self._package(previous, site, "before")
        self.new = self._package(current, site, "after")

    def _package(self, schemas: Path, site: Path, name: str) -> Package:
        name = f"{name}_{self.number}"
        files = rendered(schemas, runtime="package")
        write(files, site, name)
        modules = [f.path.removesuffix(".py").replace("/", ".") for f in files
                   if f.path.endswith(".py") and "_" not in f.path]  # fmt: skip
        loaded: list[ModuleType] = [importlib.import_module(f"{name}.{one}") for one in modules]
        assert loaded
        return package_of(f"{name}.")

    def classes(self) -> list[str]:
        """The concrete classes of the earlier version."""
        entries = self.old.table.items()
        return [n for n, one in entries if one["kind"] == "class" and "abstract" not in one]

    def create(self, name: str, variant: int) -> Any:
        """Create an object of the earlier version. Variants differ in enums, literals and unions."""
        cls = self.old.find_class(name)
        return _Making(self.old, variant).object(cls, {})

    def outcome(self, name: str, variant: int, **options: Any) -> Any:
        """Restore an object of an earlier class; return the new object or the error."""
        packed = pack(self.create(name, variant))
        cls = self.new.find_class(self.new.now(name))
        if cls is None:
            return CheckpointError("the class is gone")
        try:
            return unpack(cls, packed.arrays, packed.about, **options)
        except CheckpointError as error:
            return error
        except TypeError as error:  # The class is abstract in the later version.
            return CheckpointError(str(error))


class _Making:
    def __init__(self, package: Package, variant: int) -> None:
        self.package = package
        self.variant = variant

    def object(self, cls: Any, dims: dict[str, int]) -> Any:
        name = self.package.name_of(cls)
        values = {
            field: self.value(parse_type(declared.partition(" ")[2]), declared.startswith("static"))
            for field, declared in self.package.entry(name)["fields"].items()
        }
        for row in self.package.entry(name).get("shares", []):
            owner, *others = row.split()
            assert "." not in row
            for other in others:
                values[other] = values[owner]
        converted = cls.__codegen_record__.converted
        return cls(**{n: Converted(v) if n in converted else v for n, v in values.items()})

    def value(self, declared: Type, is_static: bool) -> Any:
        if declared.name == "|":
            return self.value(declared.members[self.variant % len(declared.members)], is_static)
        name, inside = declared.name, declared.arguments
        kind = self.package.entry(name).get("kind")
        if kind == "enum":
            members = [*self.package.find_class(name)]
            return members[self.variant % len(members)]
        if kind == "class":
            cls = self.package.find_class(name)
            if "abstract" in self.package.entry(name):
                cls = cls.__subclasses__()[0]
                cls = cls.__subclasses__()[0] if cls.__name__.startswith("_") else cls
            return self.object(cls, {})
        if name == "literal":
            return declared.value
        if name in _SCALARS:
            return _SCALARS[name]
        if name == "Callable":
            return len
        if isinstance(outside := sys.modules.get(name.rpartition(".")[0]), ModuleType):
            members = [*getattr(outside, name.rpartition(".")[2])]  # a foreign enum
            return members[self.variant % len(members)]
        if name in ("tuple", "list", "frozenset", "Sequence"):
            if name == "tuple" and not is_repeated(declared, self.package):
                return tuple(self.value(one, is_static) for one in inside)
            items = [self.value(inside[0], is_static)]
            return {"list": list, "frozenset": frozenset}.get(name, tuple)(items)
        if name in ("dict", "Mapping", "frozendict"):
            made = {self.value(inside[0], True): self.value(inside[1], is_static)}
            return frozendict(made) if name == "frozendict" else made
        if name == "key":
            return jax.random.key(0)
        if name == "stacked":
            return jax.tree.map(lambda x: jnp.stack([x] * 2), self.value(inside[0], is_static))
        if name[-1].isdigit() or name == "bool":
            shape = [_size(one.name) for one in inside]
            return (np if is_static else jnp).ones(shape, dtype_of(name))
        return jnp.ones(2)  # a dtype kind or a type parameter


def _size(dim: str) -> int:
    return int(dim) if dim.isdecimal() else _DIMS.get(dim, 2)
