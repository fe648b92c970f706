# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Static values as texts that are the same in every process, and as exact as their keys.

written((1, 1.0, True, -0.0), "")           # '(1, 1.0, True, -0.0)'
written(jax.nn.gelu, "")                    # 'jax._src.nn.functions:gelu'
written(Scheme.EXPLICIT, "generated")       # 'heat:Scheme.EXPLICIT'
"""

import copyreg
import dataclasses
import enum
import hashlib
import pathlib
import types
from collections.abc import Callable
from typing import Any, Final

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec, Sharding

from ..classes.split import is_generated
from ..keys.callables import is_found
from ..keys.views import attributes

# How what is of another generated package is known.
_BASES: Final = "._runtime.classes"
_KEYS: Final = "._runtime.keys"
# Their own texts are exact: they differ where values or types do. By identity, since a
# metaclass may define an `==` of classes.
_BUILTINS: Final = frozenset(
    map(id, (type(None), bool, int, float, complex, str, bytes, range))
)


def written(value: Any, root: str) -> str:
    """Return the text of a static value.

    Args:
        value: what may be part of a key, or of a structure
        root: the generated package; names in it are relative
    """
    if id(type(value)) in _BUILTINS:
        return repr(value)
    if is_generated(value):
        return _key(value.__codegen_key__, root)
    for kinds, write in _WRITERS:
        if isinstance(value, kinds):
            return write(value, root)
    if callable(value) and is_found(value):
        return name_of(value, root)
    if hasattr(value, "__codegen_tag__"):
        return f"frozendict({_pairs(value, root)})"
    if type(value).__module__.endswith(_KEYS):
        return _key(value, root)
    if dataclasses.is_dataclass(value):
        return _dataclass(value, root)
    return _reduced(value, root)


def home(cls: type[Any]) -> str:
    """Return the generated package that a class is of, by where its bases are."""
    modules = (base.__module__ for base in cls.__mro__)
    return next(
        (name.removesuffix(_BASES) for name in modules if name.endswith(_BASES)), ""
    )


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


def _key(value: Any, root: str) -> str:
    """Write a class and its static values."""
    names = value.cls.__codegen_record__.meta_fields
    own = home(value.cls)
    pairs = zip(names, value.values, strict=True)
    parts = ", ".join(f"{name}={written(item, own)}" for name, item in pairs)
    return f"{class_name(value.cls, root)}({parts})"


def _dataclass(value: Any, root: str) -> str:
    pairs = attributes(value)
    parts = ", ".join(f"{name}={written(item, root)}" for name, item in pairs)
    return f"{name_of(type(value), root)}({parts})"


def _items(values: Any, root: str) -> str:
    return ", ".join(written(value, root) for value in values)


def _enum(value: enum.Enum, root: str) -> str:
    # A combination of flags may have no name.
    own = value.name or repr(value.value)
    return f"{name_of(type(value), root)}.{own}"


def _array(value: np.ndarray[Any, Any], root: str) -> str:
    content = hashlib.sha256(value.tobytes()).hexdigest()
    return f"{value.dtype.name}{list(value.shape)} {content}"


def _scalar(value: Any, root: str) -> str:
    return f"{value.dtype.name}({value.item()!r})"


def _dtype(value: np.dtype[Any], root: str) -> str:
    return f"dtype {value.name}"


def _path(value: pathlib.PurePath, root: str) -> str:
    # Its class has another module, and is made in another way, on another Python.
    return f"{type(value).__name__}({str(value)!r})"


def _tuple(value: tuple[Any, ...], root: str) -> str:
    if type(value) is tuple:
        return f"({_items(value, root)})"
    return f"{name_of(type(value), root)}({_items(value, root)})"


def _list(value: list[Any], root: str) -> str:
    return f"[{_items(value, root)}]"


def _set(value: frozenset[Any] | set[Any], root: str) -> str:
    return f"{{{', '.join(sorted(written(item, root) for item in value))}}}"


def _dict(value: dict[Any, Any], root: str) -> str:
    return f"{{{_pairs(value, root)}}}"


def _pairs(value: Any, root: str) -> str:
    pairs = [
        f"{written(key, root)}: {written(item, root)}" for key, item in value.items()
    ]
    return ", ".join(pairs)


def _mesh(value: Mesh, root: str) -> str:
    devices = [device.id for device in value.devices.flat]
    return f"{value.abstract_mesh} of devices {devices}"


def _named_sharding(value: NamedSharding, root: str) -> str:
    return f"{value.spec} on {written(value.mesh, root)} in {value.memory_kind}"


def _treedef(value: Any, root: str) -> str:
    """Write a structure node by node; its own text may leave out what is static."""
    node = value.node_data()
    if node is None:
        return "*"
    kind, rest = node
    children = _items(value.children(), root)
    return f"{name_of(kind, root)}[{written(rest, root)}]({children})"


def _reduced(value: Any, root: str) -> str:
    """Write an object as pickle would: by what makes it anew.

    What cannot be written goes by its type.
    """
    kind = name_of(type(value), root)
    try:
        # As pickle does: of a compiled pattern only this table knows how.
        reduce = copyreg.dispatch_table.get(type(value))
        made = value.__reduce_ex__(4) if reduce is None else reduce(value)
        parts = made if isinstance(made, str) else _items(made, root)
    except Exception:  # noqa: BLE001  Whatever a foreign class raises there.
        return kind
    return f"{kind} of {parts}"


def _repr(value: Any, root: str) -> str:
    return f"{name_of(type(value), root)} {value!r}"


_WRITERS: Final[tuple[tuple[Any, Callable[[Any, str], str]], ...]] = (
    (enum.Enum, _enum),
    (np.ndarray, _array),
    (np.generic, _scalar),
    (np.dtype, _dtype),
    (tuple, _tuple),
    (list, _list),
    ((set, frozenset), _set),
    (dict, _dict),
    ((type, types.FunctionType, types.BuiltinFunctionType), name_of),
    (jax.tree_util.PyTreeDef, _treedef),
    (Mesh, _mesh),
    (NamedSharding, _named_sharding),
    ((PartitionSpec, AbstractMesh, Sharding), _repr),
    (pathlib.PurePath, _path),
)
