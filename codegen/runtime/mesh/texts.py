# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Static values as texts that are the same in every process, and as exact as their keys.

text_of((1, 1.0, True, -0.0), "")           # '(1, 1.0, True, -0.0)'
text_of(jax.nn.gelu, "")                    # 'jax._src.nn.functions:gelu'
text_of(Scheme.EXPLICIT, "generated")       # 'heat:Scheme.EXPLICIT'
"""

import copyreg
import dataclasses
import enum
import hashlib
import pathlib
import types
from collections.abc import Iterable
from typing import Any, Final

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec, Sharding

from ..keys.names import is_found, is_generated
from ..statics.views import attributes

# Their own texts are exact: they differ where values or types do. By identity, since a
# metaclass may define an `==` of classes.
_BUILTINS: Final = frozenset(
    map(id, (type(None), bool, int, float, complex, str, bytes, range))
)


def text_of(value: Any, root: str) -> str:
    """Return the text of a static value.

    Args:
        value: what may be part of a key, or of a structure
        root: the generated package; names in it are relative
    """
    if id(type(value)) in _BUILTINS:
        return repr(value)
    if is_generated(value):
        return _key(value.__codegen_key__, root)
    kind = name_of(type(value), root)
    match value:
        case enum.Enum():
            # A combination of flags may have no name.
            return f"{kind}.{value.name or repr(value.value)}"
        case np.ndarray():
            content = hashlib.sha256(value.tobytes()).hexdigest()
            return f"{value.dtype.name}{list(value.shape)} {content}"
        case np.generic():
            return f"{value.dtype.name}({value.item()!r})"
        case np.dtype():
            return f"dtype {value.name}"
        case tuple():
            return f"{'' if type(value) is tuple else kind}({_items(value, root)})"
        case list():
            return f"[{_items(value, root)}]"
        case set() | frozenset():
            return f"{{{', '.join(sorted(text_of(item, root) for item in value))}}}"
        case dict():
            return f"{{{_pairs(value.items(), root)}}}"
        case type() | types.FunctionType() | types.BuiltinFunctionType():
            return name_of(value, root)
        case jax.tree_util.PyTreeDef():
            return _treedef(value, root)
        case Mesh():
            devices = [device.id for device in value.devices.flat]
            return f"{value.abstract_mesh} of devices {devices}"
        case NamedSharding():
            mesh = text_of(value.mesh, root)
            return f"{value.spec} on {mesh} in {value.memory_kind}"
        case PartitionSpec() | AbstractMesh() | Sharding():
            return f"{kind} {value!r}"
        case pathlib.PurePath():
            # Its class has another module, and is made in another way, on another Python.
            return f"{type(value).__name__}({str(value)!r})"
        case _:
            return _other(value, root)


def _other(value: Any, root: str) -> str:
    kind = name_of(type(value), root)
    if hasattr(value, "__codegen_tag__"):
        return f"frozendict({_pairs(value.items(), root)})"
    if callable(value) and is_found(value):
        return name_of(value, root)
    if hasattr(type(value), "of_arrays"):  # A key, of whatever generated package.
        return _key(value, root)
    if dataclasses.is_dataclass(value):
        return f"{kind}({_assignments(attributes(value), root)})"
    try:
        # As pickle does: by what makes it anew. Of a compiled pattern this table knows.
        reduce = copyreg.dispatch_table.get(type(value))
        made = value.__reduce_ex__(4) if reduce is None else reduce(value)
        return f"{kind} of {made if isinstance(made, str) else _items(made, root)}"
    except Exception:  # noqa: BLE001  Whatever a foreign class raises there.
        return kind


def home(cls: type[Any]) -> str:
    """Return the generated package that a class is of."""
    package: str = cls.__codegen_record__.package
    return package.removesuffix(".")


def class_name(cls: type[Any], root: str) -> str:
    """Return the name of a generated class; of another package than `root`, all of it."""
    own = home(cls)
    return name_of(cls, own if root in ("", own) else "")


def name_of(value: Any, root: str) -> str:
    """Return the name of a class or function: that of its module, in `root`, and its own."""
    module = str(value.__module__)
    if root:
        module = module.removeprefix(f"{root}.")
    name = getattr(value, "__qualname__", None) or value.__name__
    return f"{module}:{name}"


def _key(key: Any, root: str) -> str:
    """Write a class and its static values."""
    pairs = zip(key.cls.__codegen_record__.meta_fields, key.values, strict=True)
    return f"{class_name(key.cls, root)}({_assignments(pairs, home(key.cls))})"


def _treedef(treedef: Any, root: str) -> str:
    """Write a structure node by node; its own text may leave out what is static."""
    node = treedef.node_data()
    if node is None:
        return "*"
    kind, rest = node
    children = _items(treedef.children(), root)
    return f"{name_of(kind, root)}[{text_of(rest, root)}]({children})"


def _items(values: Iterable[Any], root: str) -> str:
    return ", ".join(text_of(value, root) for value in values)


def _pairs(items: Iterable[tuple[Any, Any]], root: str) -> str:
    pairs = (f"{text_of(key, root)}: {text_of(item, root)}" for key, item in items)
    return ", ".join(pairs)


def _assignments(items: Iterable[tuple[str, Any]], root: str) -> str:
    return ", ".join(f"{name}={text_of(item, root)}" for name, item in items)
