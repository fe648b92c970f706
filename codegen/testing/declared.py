"""The declarations of generated classes, read from their records.

    roles_of(plate)        # {"u": "donated", "alpha": "dynamic", "dx": "static"}
    dimensions(Plate)      # (frozenset({"nx", "ny"}), 1)
    concrete(Shape)        # [Disc, Square]: the classes below an abstract one

A class may belong to any generated package, so types are recognised by the names of their
descriptions.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from codegen.testing.drawing import Dim, evaluate_dim

ENDLESS: Final = float("inf")
# The largest size that is tried for all dimensions together.
_LEAST_MAX: Final = 64
# The largest depth that is distinguished, of values of type parameters.
_DEPTH_MAX: Final = 8


def record_of(cls: Any) -> Any:
    """Return the record of a generated class; None for other types."""
    return getattr(cls, "__codegen_record__", None)


def run_time(record: Any, part: str = "") -> Any:
    """Return the run time that a class belongs to, or a module of it: `codegen.runtime`, or a copy."""
    package = type(record).__module__.removesuffix(".classes.registration")
    return importlib.import_module(f"{package}.{part}" if part else package)


# --- fields


def fields_of(cls: Any) -> dict[str, Any]:
    """Return the declared types of a class's fields."""
    record = record_of(cls)
    return {**record.data_fields, **record.meta_fields}


def roles_of(value: object) -> Mapping[str, str] | None:
    """Return the roles of an object's fields; None if no schema declares it."""
    record = record_of(type(value))
    if record is None:
        return None
    roles = dict.fromkeys(record.data_fields, "dynamic")
    roles |= dict.fromkeys(record.donated_fields, "donated")
    roles |= dict.fromkeys(record.ref_fields, "ref")
    return roles | dict.fromkeys(record.meta_fields, "static")


# --- classes


def resolve_later(declared: Any) -> Any:
    """Return a class that did not exist yet when its description was written."""
    if type(declared).__name__ != "Later":
        return declared
    return getattr(importlib.import_module(declared.module, declared.package), declared.name)


def class_of(declared: Any) -> Any:
    """Return the generated class of a declared type; None for other types."""
    is_part = type(declared).__name__ == "Part"
    cls = resolve_later(declared.cls if is_part else declared)
    return cls if isinstance(cls, type) and record_of(cls) is not None else None


def is_schema_class(cls: Any) -> bool:
    """Return whether a schema declares a class; Python subclasses are declared nowhere."""
    records = [record_of(base) for base in cls.__mro__]
    return all(one is None or one.schema != records[0].schema for one in records[1:])


def concrete(cls: Any) -> list[Any]:
    """Return the classes whose objects a field of this type may hold, in a stable order."""
    if not record_of(cls).abstract:
        return [cls]
    classes = [c for c in _subclasses(cls) if is_schema_class(c) and not record_of(c).abstract]
    return sorted(classes, key=lambda c: str(record_of(c).schema))


def _subclasses(cls: Any) -> list[Any]:
    direct = cls.__subclasses__()
    return list(dict.fromkeys([*direct, *(one for sub in direct for one in _subclasses(sub))]))


# --- classes that a type reaches


def iter_types(declared: Any) -> Iterator[Any]:
    """Yield the types that a declared type consists of, itself first."""
    yield declared
    inner: list[Any] = []
    match type(declared).__name__:
        case "Each":
            inner = [declared.item] if declared.key is ... else [declared.key, declared.item]
        case "Items":
            inner = [*declared.items]
        case "AnyOf":
            inner = [*declared.options]
        case "Part":
            inner = [*declared.types.values()]
    for one in inner:
        yield from iter_types(one)


def reachable_classes(*declared: Any) -> dict[Any, None]:
    """Return the generated classes that values of some types may contain."""
    waiting, reached = [*declared], dict[Any, None]()
    while waiting:
        for part in iter_types(waiting.pop()):
            cls = class_of(part)
            if cls is not None and cls not in reached:
                reached[cls] = None
                waiting += fields_of(cls).values()
                waiting += concrete(cls)
    return reached


def has_abstract_part(declared: Any) -> bool:
    """Return whether a value determines sizes: its class may be one of several."""
    records = map(record_of, reachable_classes(declared))
    return any(record.abstract and record.parameters for record in records)


def dimensions(*declared: Any) -> tuple[frozenset[str], int]:
    """Return the dimensions of the arrays in values of some types, and their least size.

    With that size for all dimensions, no arithmetic over them is negative.
    """
    classes = reachable_classes(*declared)
    types = [*declared, *(one for cls in classes for one in fields_of(cls).values())]
    dims = [dim for one in types for part in iter_types(one) for dim in dims_of(part)]
    names = {name for dim in dims for name in dim_names(dim)}
    names |= {name for cls in classes for name in record_of(cls).parameters}
    sums = [dim for dim in dims if isinstance(dim, tuple)]
    for size in range(1, _LEAST_MAX + 1):
        values = [evaluate_dim(dim, lambda _, size=size: size) for dim in sums]  # type: ignore[misc]
        if all(value is not None and value >= 0 for value in values):
            return frozenset(names), size
    return frozenset(names), 1  # no example remains then


def dims_of(declared: Any) -> list[Dim]:
    """Return the dimensions in a declared type itself."""
    match type(declared).__name__:
        case "Shaped" | "ShapedRef":
            return [*declared.dims]
        case "Part":
            return [*declared.dims.values(), *declared.stacked]
        case "Each":
            return [] if declared.size is None else [declared.size]
        case _:
            return []


def dim_names(dim: Dim) -> list[str]:
    """Return the names of single dimensions in one, each once."""
    if isinstance(dim, str):
        return [] if dim == "_" or dim.startswith(("*", "...")) else [dim]
    if isinstance(dim, int):
        return []
    return list(dict.fromkeys([*dim_names(dim[0]), *dim_names(dim[2])]))


def substitute_dim(dim: Dim, substitution: Mapping[str, Dim]) -> Dim:
    """Return a dimension in which names are replaced by other dimensions."""
    if isinstance(dim, str):
        return substitution.get(dim, dim)
    if isinstance(dim, int):
        return dim
    left, right = substitute_dim(dim[0], substitution), substitute_dim(dim[2], substitution)
    return "_" if "_" in (left, right) else (left, dim[1], right)


def depth(declared: Any) -> float:
    """Return how deeply the simplest value nests objects; ENDLESS if it never ends."""
    return _depth(declared, (), {})


# The depths of values of type parameters.
_Depths: TypeAlias = Mapping[str, float]


def _depth(declared: Any, above: tuple[Any, ...], types: _Depths) -> float:
    match type(declared).__name__:
        case "Each":
            return 0 if declared.size is None else _depth(declared.item, above, types)
        case "Items":
            return max((_depth(one, above, types) for one in declared.items), default=0)
        case "AnyOf":
            return min(_depth(one, above, types) for one in declared.options)
        case "Given":
            return types.get(declared.parameter, 0)
    cls = class_of(declared)
    if cls is None:
        return 0
    arguments = declared.types if type(declared).__name__ == "Part" else {}
    depths = {name: _depth(one, above, types) for name, one in arguments.items()}
    # A class may contain itself with ever deeper parameters.
    capped = {n: d if d == ENDLESS else min(d, _DEPTH_MAX) for n, d in depths.items()}
    if (cls, capped) in above:
        return ENDLESS
    inside = (*above, (cls, capped))
    if record_of(cls).abstract:
        return min((_depth(one, inside, capped) for one in concrete(cls)), default=ENDLESS)
    fields = [_depth(one, inside, capped) for one in fields_of(cls).values()]
    return 1 + max(fields, default=0)
