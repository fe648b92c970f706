# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Pickle by name, so that a schema may change between saving and loading.

    pickle.dumps(plate)     # load(Plate, {"u": ..., "alpha": ...}, {"thickness": 0.001})

Fields may have been put in another order, been renamed with `# codegen: was[...]`, or been
added with a default. Whatever else has changed is a TypeError.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .callables import portable
from .construct import Converted


def reduced(obj: Any) -> tuple[Any, ...]:
    """Return what is pickled in place of an object: its class, and its fields by role."""
    record = type(obj).__codegen_record__
    data = {name: getattr(obj, name) for name in record.data_fields}
    return load, (record.cls, data, _statics(obj.__codegen_key__), _types(record))


def reduced_key(key: Any) -> tuple[Any, ...]:
    """Return what is pickled in place of a key, as in a treedef."""
    return load_key, (key.cls, _types(key.cls.__codegen_record__), _statics(key))


def _types(record: Any) -> dict[str, str]:
    """Return what the children are declared as: what they are is not checked on load."""
    fields = record.cls.__dataclass_fields__
    # Sizes are left to `check`, and a dimension may have another name.
    return {
        name: re.sub(r"'[^']*'", "...", str(fields[name].type))
        for name in record.data_fields
    }


def _statics(key: Any) -> dict[str, Any]:
    names = key.cls.__codegen_record__.meta_fields
    return dict(zip(names, map(portable, key.values), strict=True))


def load(
    cls: Any,
    data: Mapping[str, Any],
    static: Mapping[str, Any],
    types: Mapping[str, str],
) -> Any:
    """Make the object of a pickle; what its class has got since then is its default.

    Raises:
        TypeError: the class has changed otherwise
    """
    record = _record_of(cls)
    now = _names_now(record, [*data, *static])
    data, static, types = (
        {now[name]: one for name, one in part.items()} for part in (data, static, types)
    )
    _require_known(cls, static, types)
    if len(data) + len(static) < len(record.data_fields) + len(record.meta_fields):
        kept = {
            name: Converted(value) if name in record.converted else value
            for name, value in static.items()
        }
        return cls(**data, **kept)
    children = tuple(data[name] for name in record.data_fields)
    key = record.key(cls, *(static[name] for name in record.meta_fields))
    return record.unflatten(key, children)


def load_key(cls: Any, types: Mapping[str, str], static: Mapping[str, Any]) -> Any:
    """Make the key of a pickle, interned anew, through the checks of its class.

    Raises:
        TypeError: the class has changed, and the children that belong to the key with it
    """
    record = _record_of(cls)
    now = _names_now(record, [*types, *static])
    types = {now[name]: type for name, type in types.items()}
    static = {now[name]: value for name, value in static.items()}
    _require_known(cls, static, types)
    is_new = static.keys() != {*record.meta_fields}
    if is_new or [*types.items()] != [*_types(record).items()]:
        raise TypeError(
            f"cannot load a pickled treedef of {_named(cls)}, whose fields have changed: "
            f"the leaves are of {', '.join(now)}, and it has now "
            f"{', '.join([*record.data_fields, *record.meta_fields])}; pickle objects in "
            "place of their leaves and treedef"
        )
    return record.key(cls, *(static[name] for name in record.meta_fields))


def _record_of(cls: Any) -> Any:
    record = getattr(cls, "__codegen_record__", None)
    if record is None or record.cls is not cls:
        raise TypeError(f"cannot load a pickled {_named(cls)}, which is abstract now")
    return record


def _names_now(record: Any, then: Sequence[str]) -> dict[str, str]:
    """Return what pickled fields are called now, by what they were called.

    A field that the pickle does not have may be one of another name in it; and what has
    that name now is another field.
    """
    found: dict[str, str] = {}
    for old, new in record.was.items():
        if old in then and new not in (*then, *found.values()):
            found[old] = new
    return {name: found.get(name, name) for name in then}


def _require_known(
    cls: Any, static: Mapping[str, Any], types: Mapping[str, str]
) -> None:
    """Refuse a pickle of which the class cannot take everything, or that lacks something."""
    record = cls.__codegen_record__
    declared = _types(record)
    roles = dict.fromkeys(declared, "dynamic")
    roles |= dict.fromkeys(record.meta_fields, "static")
    given = dict.fromkeys(types, "dynamic") | dict.fromkeys(static, "static")
    found = [
        f"`{name}` was {role} and is {roles[name]} now"
        for name, role in given.items()
        if name in roles and role != roles[name]
    ]
    found += [
        f"`{name}` was declared as {type}, and is as {declared[name]} now"
        for name, type in types.items()
        if name in declared and type != declared[name]
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
