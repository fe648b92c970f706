"""What the records of generated classes declare.

    concrete(Shape)             # [Disc, Square]: the classes below an abstract one

A class may belong to a package with its own copy of the run time, so the descriptions of types are
recognised by their names.
"""

from __future__ import annotations

import importlib
from typing import Any


def record_of(cls: Any) -> Any:
    """Return the record of a generated class; None for other types."""
    return getattr(cls, "__codegen_record__", None)


def is_generated(value: object) -> bool:
    """Return whether a value is an object of a generated class."""
    return record_of(type(value)) is not None


def run_time(record: Any, part: str = "") -> Any:
    """Return the run time that a class belongs to, or a module of it."""
    package = type(record).__module__.removesuffix(".classes.registration")
    return importlib.import_module(f"{package}.{part}" if part else package)


def fields_of(cls: Any) -> dict[str, Any]:
    """Return the declared types of a class's fields, those with arrays first."""
    record = record_of(cls)
    return {**record.data_fields, **record.meta_fields}


def class_of(declared: Any) -> Any:
    """Return the class of a declared type, which a description may name; or the type itself."""
    cls = declared.cls if type(declared).__name__ == "Part" else declared
    if type(cls).__name__ == "Later":
        cls = getattr(importlib.import_module(cls.module, cls.package), cls.name)
    return cls


def concrete(cls: Any) -> list[Any]:
    """Return the classes whose objects a field of this type may hold, in a stable order."""
    own = record_of(cls)
    below = {one for derived in cls.__subclasses__() for one in concrete(derived)}
    # Python subclasses are declared in no schema.
    below = {one for one in below if record_of(one).schema != own.schema}
    return sorted(below if own.abstract else {cls}, key=lambda one: str(record_of(one).schema))
