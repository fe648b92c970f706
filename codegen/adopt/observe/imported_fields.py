"""Describe the fields of a project's classes after importing its modules: a separate program.

stdin:   {"path": "src", "classes": {"heat.plate": ["Plate"]}}
stdout:  {"heat.plate.Plate": {"n": {"literal": "3", "type": "builtins.int"}}}, after a mark

It imports nothing of codegen. Modules that cannot be imported are omitted.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import importlib
import json
import sys
import types
import typing
from typing import Any

OUTPUT_MARK = "codegen values "


def main() -> None:
    """Read the request, import the modules, and write the description."""
    wanted = json.load(sys.stdin)
    sys.path[:1] = [wanted["path"]]  # replaces this file's own folder
    fields: dict[str, Any] = {}
    for module, classes in wanted["classes"].items():
        try:
            loaded = importlib.import_module(module)
            for name in classes:
                fields[f"{module}.{name}"] = _fields(getattr(loaded, name))
        except BaseException as error:  # noqa: BLE001 -- any error in a module
            sys.stderr.write(f"{module}: {type(error).__name__}: {error}\n")
    sys.stdout.write(f"\n{OUTPUT_MARK}{json.dumps(fields)}\n")


def _fields(cls: Any) -> dict[str, dict[str, str]]:
    if dataclasses.is_dataclass(cls):
        defaults = {one.name: one.default for one in dataclasses.fields(cls)}
    else:
        named_defaults = getattr(cls, "_field_defaults", {})
        defaults = {
            name: named_defaults.get(name, dataclasses.MISSING)
            for name in getattr(cls, "_fields", ())
        }
    try:
        annotated = typing.get_type_hints(cls, include_extras=True)
    except Exception:  # noqa: BLE001 -- an annotation may refer to a missing name
        annotated = {}
    return {
        name: ({} if value is dataclasses.MISSING else _describe(value))
        | ({"type": _format_annotation(annotated[name])} if name in annotated else {})
        for name, value in defaults.items()
    }


def _describe(value: Any) -> dict[str, str]:
    name = str(getattr(value, "name", ""))
    if isinstance(value, enum.Enum) and getattr(type(value), name, None) is value:
        return {"name": f"{type(value).__module__}:{type(value).__qualname__}.{name}"}
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return {"literal": repr(value)}
    if type(value) is tuple:
        parts = [_describe(one).get("literal") for one in value]
        if all(parts):
            return {"literal": f"({', '.join(map(str, parts))}{',' * (len(parts) == 1)})"}
    name = str(getattr(value, "__qualname__", ""))
    module = getattr(value, "__module__", None)
    if name.isidentifier() and getattr(sys.modules.get(str(module)), name, None) is value:
        return {"name": f"{module}:{name}"}
    return {}


def _format_annotation(value: Any) -> str:
    """Return an annotation with absolute names; empty if a part has no name."""
    origin = typing.get_origin(value)
    if value is None or value is type(None):
        return "None"
    if value is Ellipsis:
        return "..."
    if origin is typing.Annotated:
        return _format_annotation(typing.get_args(value)[0])
    if origin is collections.abc.Callable:
        return "collections.abc.Callable"
    if origin is not None:
        parts = [_format_annotation(one) for one in typing.get_args(value)]
        is_union = origin in (typing.Union, types.UnionType)
        outer = "" if is_union else _format_annotation(origin)
        if not all(parts) or not (is_union or outer):
            return ""
        return " | ".join(parts) if is_union else f"{outer}[{', '.join(parts)}]"
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
    is_named = isinstance(value, type) and all(part.isidentifier() for part in name.split("."))
    return name if is_named else ""


if __name__ == "__main__":
    main()
