# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Pickle by name, so that a schema may change between saving and loading.

    pickle.dumps(plate)     # load(Plate, {"u": ..., "alpha": ...}, {"thickness": 0.001})

Fields may have been put in another order, been renamed with `# codegen: was[...]`, or been
added with a default. Whatever else has changed is a TypeError.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from .construct import Converted
from .references import portable


def reduced(obj: Any) -> tuple[Any, ...]:
    """Return what is pickled in place of an object: its class, and its fields by role."""
    record = type(obj).__codegen_record__
    data = {name: getattr(obj, name) for name in record.data_fields}
    return load, (record.cls, data, _statics(obj.__codegen_key__))


def reduced_key(key: Any) -> tuple[Any, ...]:
    """Return what is pickled in place of a key, as in a treedef."""
    return load_key, (key.cls, key.cls.__codegen_record__.data_fields, _statics(key))


def _statics(key: Any) -> dict[str, Any]:
    names = key.cls.__codegen_record__.meta_fields
    return dict(zip(names, map(portable, key.values), strict=True))


def load(cls: Any, data: Mapping[str, Any], static: Mapping[str, Any]) -> Any:
    """Make the object of a pickle; what its class has got since then is its default.

    Raises:
        TypeError: the class has changed otherwise
    """
    record = _record_of(cls)
    data, static = _renamed(data, record), _renamed(static, record)
    _require_known(cls, data, static)
    if len(data) + len(static) < len(record.data_fields) + len(record.meta_fields):
        kept = {
            name: Converted(value) if name in record.converted else value
            for name, value in static.items()
        }
        return cls(**data, **kept)
    children = tuple(data[name] for name in record.data_fields)
    key = record.key(cls, *(static[name] for name in record.meta_fields))
    return record.unflatten(key, children)


def load_key(cls: Any, data: Sequence[str], static: Mapping[str, Any]) -> Any:
    """Make the key of a pickle, interned anew, through the checks of its class.

    Raises:
        TypeError: the class has changed, and the children that belong to the key with it
    """
    record = _record_of(cls)
    children = tuple(_renamed(dict.fromkeys(data), record))
    then = [*data, *static]
    static = _renamed(static, record)
    if children != record.data_fields or static.keys() != {*record.meta_fields}:
        now = [*record.data_fields, *record.meta_fields]
        raise TypeError(
            f"cannot load a pickled treedef of {_named(cls)}, whose fields have changed: "
            f"they were {', '.join(then)}, and are {', '.join(now)}; pickle objects in "
            "place of their leaves and treedef"
        )
    return record.key(cls, *(static[name] for name in record.meta_fields))


def _record_of(cls: Any) -> Any:
    record = getattr(cls, "__codegen_record__", None)
    if record is None or record.cls is not cls:
        raise TypeError(f"cannot load a pickled {_named(cls)}, which is abstract now")
    return record


def _renamed(fields: Mapping[str, Any], record: Any) -> dict[str, Any]:
    """Return pickled fields under the names that they have now."""
    known = {*record.data_fields, *record.meta_fields}
    return {
        name if name in known else record.was.get(name, name): value
        for name, value in fields.items()
    }


def _require_known(
    cls: Any, data: Mapping[str, Any], static: Mapping[str, Any]
) -> None:
    """Refuse a pickle of which the class cannot take everything, or that lacks something."""
    record = cls.__codegen_record__
    roles = dict.fromkeys(record.data_fields, "dynamic")
    roles |= dict.fromkeys(record.meta_fields, "static")
    given = dict.fromkeys(data, "dynamic") | dict.fromkeys(static, "static")
    found = [
        f"`{name}` was {role} and is {roles[name]} now"
        for name, role in given.items()
        if name in roles and role != roles[name]
    ]
    found += [
        f"`{name}` is a field of it no more; if it has another name now, write "
        f"`# codegen: was[{name}]` behind it in the schema"
        for name in given
        if name not in roles
    ]
    found += [
        f"`{field.name}` is new, and has no default"
        for field in dataclasses.fields(cls)
        if field.name not in given and field.default is dataclasses.MISSING
    ]
    if found:
        raise TypeError(
            f"cannot load a pickled {_named(cls)}, whose fields have changed: "
            f"{'; '.join(found)}"
        )


def _named(cls: Any) -> str:
    return f"`{cls.__module__}.{cls.__qualname__}`"
