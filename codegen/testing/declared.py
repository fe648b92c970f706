"""What the records of generated classes declare: their objects, and the dimensions in these.

    concrete(Shape)             # [Disc, Square]: the classes below an abstract one
    dimensions(Plate)           # ({"nx", "ny"}, [1, 2, 3])

A class may belong to a package with its own copy of the run time, so the descriptions of types are
recognised by their names.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from codegen.runtime.shapes.dimensions import Contradiction, Sizes, names_in_dim

ENDLESS: Final = float("inf")
_LEAST_MAX: Final = 64  # the largest size that is tried for all dimensions together
_DEPTH_MAX: Final = 8  # the largest depth that is distinguished, of values of type parameters


def record_of(cls: Any) -> Any:
    """Return the record of a generated class; None for other types."""
    return getattr(cls, "__codegen_record__", None)


def run_time(record: Any, part: str = "") -> Any:
    """Return the run time that a class belongs to, or a module of it."""
    package = type(record).__module__.removesuffix(".classes.registration")
    return importlib.import_module(f"{package}.{part}" if part else package)


def fields_of(cls: Any) -> dict[str, Any]:
    """Return the declared types of a class's fields."""
    record = record_of(cls)
    return {**record.data_fields, **record.meta_fields}


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


def _subclasses(cls: Any) -> set[Any]:
    direct = {*cls.__subclasses__()}
    return direct.union(*map(_subclasses, direct))


def _iter_types(declared: Any) -> Iterator[Any]:
    """Yield the types that a declared type consists of, itself first."""
    yield declared
    inner: list[Any] = []
    match type(declared).__name__:
        case "Each":
            inner = [declared.key, declared.item]
        case "Items":
            inner = [*declared.items]
        case "AnyOf":
            inner = [*declared.options]
        case "Part":
            inner = [*declared.types.values()]
    for one in inner:
        yield from _iter_types(one)


def _reachable(*declared: Any) -> dict[Any, None]:
    """Return the generated classes that values of some types may contain."""
    waiting, reached = [*declared], dict[Any, None]()
    while waiting:
        for part in _iter_types(waiting.pop()):
            cls = class_of(part)
            if cls is not None and cls not in reached:
                reached[cls] = None
                waiting += [*fields_of(cls).values(), *concrete(cls)]
    return reached


def dimensions(*declared: Any) -> tuple[list[str], list[int]]:
    """Return the names of dimensions in values of some types, and the sizes to draw for them.

    With the least size for all dimensions, no arithmetic over them is negative. The objects of a
    subclass may need other sizes: 6 for `class Six(Layer[6])`.
    """
    records = [record_of(cls) for cls in _reachable(*declared)]
    types = [*declared, *(one for record in records for one in fields_of(record.cls).values())]
    dims = [dim for one in types for part in _iter_types(one) for dim in _dims_of(part)]
    bases = [
        one for record in records for base in record.bases.values() for one in base.dims.values()
    ]
    names = {name for dim in (*dims, *bases) for name in names_in_dim(dim)}
    names.update(*(record.parameters for record in records))
    sums = [dim for dim in dims if isinstance(dim, tuple)]
    sizes = range(1, _LEAST_MAX)
    least = next(
        (n for n in sizes if all(size_of(dim, dict.fromkeys(names, n)) >= 0 for dim in sums)), 1
    )
    numbers = {dim for dim in bases if isinstance(dim, int)}
    return sorted(names - {"_", "..."}), sorted(numbers.union(range(least, least + 3)))


def _dims_of(declared: Any) -> list[Any]:
    """Return the dimensions in a declared type itself."""
    match type(declared).__name__:
        case "Shaped" | "ShapedRef":
            return [*declared.dims]
        case "Part":
            return [*declared.dims.values(), *declared.stacked]
        case "Each" if declared.size is not None:
            return [declared.size]
        case _:
            return []


def size_of(dim: Any, sizes: Mapping[str, Any]) -> Any:
    """Return the size of a dimension; of several axes, their sizes. -1 if there is none."""
    try:
        return Sizes({name: (size, "") for name, size in sizes.items()}).value(dim)
    except Contradiction:
        return -1


def depth(declared: Any, above: tuple[Any, ...] = (), types: Mapping[str, float] = {}) -> float:
    """Return how deeply the simplest value nests objects; ENDLESS if it never ends.

    Args:
        declared: the type of the value
        above: the classes of the objects that contain it, with the depths of their parameters
        types: the depths of the values of type parameters
    """
    match type(declared).__name__:
        case "Each":
            return 0 if declared.size is None else depth(declared.item, above, types)
        case "Items":
            return max((depth(one, above, types) for one in declared.items), default=0)
        case "AnyOf":
            return min(depth(one, above, types) for one in declared.options)
        case "Given":
            return types.get(declared.parameter, 0)
    cls = class_of(declared)
    if cls is None:
        return 0
    arguments = declared.types if type(declared).__name__ == "Part" else {}
    depths = {name: depth(one, above, types) for name, one in arguments.items()}
    # A class may contain itself with ever deeper parameters.
    capped = {n: d if d == ENDLESS else min(d, _DEPTH_MAX) for n, d in depths.items()}
    if (cls, capped) in above:
        return ENDLESS
    inside = (*above, (cls, capped))
    if record_of(cls).abstract:
        return min((depth(one, inside, capped) for one in concrete(cls)), default=ENDLESS)
    return 1 + max((depth(one, inside, capped) for one in fields_of(cls).values()), default=0)
