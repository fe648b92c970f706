"""Objects of two versions of a schema: the earlier one is saved, the later one is unpacked.

versions = Versions(folder / "previous", folder / "current", site)
versions.outcome("bar.Net", 0)      # the restored object, or the CheckpointError
"""

import importlib
import itertools
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from codegen.runtime import Converted, frozendict
from codegen.runtime.checkpoint import CheckpointError, pack, unpack
from codegen.runtime.checkpoint.schemas import Package, members
from codegen.runtime.checkpoint.schemas import _package as package_of
from codegen.runtime.declared import Each, Foreign, Items, Literal, Part, Shaped, Word, resolved
from codegen.runtime.keys.names import KINDS
from tests.generated.package import rendered, write

_count = itertools.count()
_SCALARS: dict[Any, Any] = {
    int: 2, float: 0.5, complex: 1j, bool: True, str: "a", bytes: b"a", None: None, Any: 1,
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
        return _Making(variant).object(self.old.find_class(name))

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
    def __init__(self, variant: int) -> None:
        self.variant = variant

    def object(self, cls: Any) -> Any:
        record = cls.__codegen_record__
        if record.abstract:
            cls = cls.__subclasses__()[0]
            return self.object(cls.__subclasses__()[0] if cls.__name__.startswith("_") else cls)
        values = {name: self.value(one, True) for name, one in record.meta_fields.items()}
        values |= {name: self.value(one, False) for name, one in record.data_fields.items()}
        for owner, *others in record.shares:
            values |= {other: values[owner[0]] for (other,) in others}
        converted = record.converted
        return cls(**{n: Converted(v) if n in converted else v for n, v in values.items()})

    def value(self, declared: Any, is_static: bool) -> Any:
        options = members(declared)
        one = resolved(options[self.variant % len(options)])
        match one:
            case Part(cls=cls, stacked=stacked):
                made = self.value(cls, is_static)
                for _ in stacked:
                    made = jax.tree.map(lambda x: jnp.stack([x] * 2), made)
                return made
            case Literal(values=values):
                ordered = sorted(values, key=ascii)
                return ordered[self.variant % len(values)]
            case Word(name="dtype"):
                return np.dtype("float32")
            case Word():
                return len
            case Foreign(kind=kind):
                return [*kind][self.variant % len(kind)]  # a foreign enum
            case Items(items=items):
                return tuple(self.value(item, is_static) for item in items)
            case Each(kind=kind, item=item) if kind in (dict, frozendict):
                return kind({self.value(one.key, True): self.value(item, is_static)})
            case Each(kind=kind, item=item):
                return kind([self.value(item, is_static)])
            case Shaped(dtype="key"):
                return jax.random.key(0)
            case Shaped(dtype=dtype, dims=dims) if dtype not in KINDS:
                shape = [dim if isinstance(dim, int) else _DIMS.get(str(dim), 2) for dim in dims]
                return (np if is_static else jnp).ones(shape, dtype)
            case _ if hasattr(one, "__members__"):
                return [*one][self.variant % len(one)]
            case _ if hasattr(one, "__codegen_record__"):
                return self.object(one)
            case _:
                # Others are a dtype kind or a type parameter.
                return _SCALARS[one] if isinstance(one, type | None) else jnp.ones(2)
