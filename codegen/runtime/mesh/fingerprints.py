"""Values that processes must share to run one program: schema and statics.

    plate.fingerprint()                 # '9f0c1d...', 64 digits
    entries(plate)                      # [('', 'heat:Plate, schema 51ab...'), ...]
    text_of((1, True, math.sqrt), "")   # '(1, True, math:sqrt)'
    assert_same_everywhere(training)    # ValueError: `Training.config.epochs` is ...

JAX does not notice if a static value differs between processes. Each runs its own
compiled program, their collectives still match, and the result is a number that neither
program gives. Python's hashes differ between processes. So these texts are used, which
are as exact as trace keys: names instead of identities, and types if values look alike.
"""

import copyreg
import dataclasses
import decimal
import enum
import hashlib
import json
import pathlib
import types
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec, Sharding

from ..frozen_dicts import frozendict
from ..keys.interning import TraceKey
from ..keys.names import is_found, is_generated, module_and_name
from ..shapes.dimensions import describe_dimensions
from ..statics.views import attributes

# A path, and the text of its value.
Entry: TypeAlias = tuple[str, str]

# Their own texts are exact: they differ if values or types do. (The module of a path's
# class depends on the Python version.)
_BUILTINS: Final = (type(None), bool, int, float, complex, str, bytes, range)
_PATHS: Final = (pathlib.PurePosixPath, pathlib.PureWindowsPath, type(pathlib.Path()))
# The support package: a copy in a generated package, or `codegen.runtime`.
_SUPPORT: Final = __name__.removesuffix("mesh.fingerprints")
# Compared by identity, since a metaclass may define an `==` of classes.
_EXACT: Final = frozenset(map(id, _BUILTINS + _PATHS))


def fingerprint(obj: object) -> str:
    """Return the SHA-256 of an object's schema and static values, in hexadecimal."""
    return _digest(list_entries(obj))


def assert_same_everywhere(value: object) -> None:
    """Check that every process has the same schema and the same static values.

    Every process must call it, like any collective. It compares the structure, classes
    with their schemas, static values, Python numbers, and the dtypes and shapes of
    arrays that are spread over processes. It does not compare the content of arrays.

    Args:
        value: an object of a generated class, or any tree

    Raises:
        ValueError: raised in every process; it names the field and both values
    """
    if jax.process_count() == 1:
        return
    listed = list_entries(value, numbers=True)
    digests = _gathered(np.frombuffer(bytes.fromhex(_digest(listed)), np.uint8))
    if (digests == digests[0]).all():
        return
    # All processes have the same digests, so all of them get here.
    text = json.dumps(listed).encode()
    padded = text.ljust(_gathered(np.array([len(text)], np.int32)).max())
    texts = _gathered(np.frombuffer(padded, np.uint8))
    raise _difference_error(type(value), [json.loads(bytes(each)) for each in texts])


def _digest(listed: list[Entry]) -> str:
    text = "".join(f"{path}\t{what}\n" for path, what in listed)
    return _sha256(text.encode(errors="surrogatepass"))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _gathered(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    # Imported late: it is slow, and few programs have several processes.
    from jax.experimental import multihost_utils

    gather: Any = multihost_utils.process_allgather
    return np.asarray(gather(array))


def _difference_error(kind: type[Any], listed: list[list[Entry]]) -> ValueError:
    """Return the error for the first difference."""
    tables = [dict(entries) for entries in listed]
    paths = dict.fromkeys(path for table in tables for path in table)
    path, *others = [p for p in paths if len({table.get(p) for table in tables}) > 1]
    values: dict[str, list[str]] = {}
    for process, table in enumerate(tables):
        values.setdefault(table.get(path, "absent"), []).append(str(process))
    groups = [f"{one} in processes {', '.join(where)}" for one, where in values.items()]
    more = f" {len(others)} more paths differ." if others else ""
    return ValueError(
        f"`{kind.__qualname__}{path}` is not the same in every process: "
        f"{'; '.join(groups)}.{more} The processes would run different programs, and "
        "their collectives would mix up the numbers: use the same static values in "
        "every process"
    )


def list_entries(value: object, *, numbers: bool = False) -> list[Entry]:
    """List the facts on which two equal programs agree, by path.

    With `numbers`, also Python's numbers and strings among the leaves, and the shapes
    of arrays that are spread over processes.
    """

    def traced(leaf: object, root: str) -> str:
        if not numbers:
            return "leaf"
        if isinstance(leaf, jax.Array) and not leaf.is_fully_addressable:
            return f"{leaf.dtype}{list(leaf.shape)}"
        return "array" if hasattr(leaf, "shape") else format_static(leaf, root)

    def walk(value: object, path: str, root: str, is_static: bool) -> Iterator[Entry]:
        is_leaf = (lambda item: type(item) is not tuple) if is_static else is_generated
        located, treedef = jax.tree_util.tree_flatten_with_path(value, is_leaf=is_leaf)
        structure = format_static(treedef, root)
        if structure != "*":
            yield path, structure
        for inner, leaf in located:
            where = path + jax.tree_util.keystr(inner)
            if not is_generated(leaf):
                describe = format_static if is_static else traced
                yield where, describe(leaf, root)
                continue
            cls = type(leaf)
            record = cls.__codegen_record__
            children, key = record.flatten(leaf)
            roles = [*record.data_fields], [*record.meta_fields], record.donated_fields
            schema = _sha256(f"{roles} {describe_dimensions(record)}".encode())[:16]
            yield where, f"{_name_of(cls, root)}, schema {schema}"
            for name, item in zip(record.meta_fields, key.values, strict=True):
                yield from walk(item, f"{where}.{name}", record.package, True)
            for name, item in zip(record.data_fields, children, strict=True):
                yield from walk(item, f"{where}.{name}", record.package, False)

    return list(walk(value, "", "", False))


def format_static(value: object, root: str) -> str:
    """Return the text of a static value: the same in every process, as exact as its key.

    Names in `root`, a generated package with a dot, are relative.
    """
    if type(value) is int:
        # The text of `repr`, but for any length.
        return str(decimal.Decimal(value))
    if type(value) is range:
        numbers = [value.start, value.stop, *[value.step] * (value.step != 1)]
        return f"range({_items(numbers, root)})"
    if id(type(value)) in _EXACT:
        return repr(value)
    if is_generated(value):
        value = value.__codegen_key__
    kind = _name_of(type(value), root)
    match value:
        case enum.Enum():
            # A combination of flags may have no name.
            return f"{kind}.{value.name or format_static(value.value, root)}"
        case np.ndarray():
            return f"{value.dtype.name}{list(value.shape)} {_sha256(value.tobytes())}"
        case np.generic():
            return f"{value.dtype.name}({value.item()!r})"
        case np.dtype():
            return f"dtype {value.name}"
        case tuple() | list():
            return f"{'' if type(value) is tuple else kind}({_items(value, root)})"
        case set() | frozenset():
            return (
                f"{{{', '.join(sorted(format_static(item, root) for item in value))}}}"
            )
        case dict():
            return f"{kind}({_items(value.items(), root)})"
        case jax.tree_util.PyTreeDef():
            # Written node by node: its own text may omit static values.
            node, children = value.node_data(), value.children()
            return f"tree({_items((*node, *children), root)})" if node else "*"
        case Mesh():
            devices = [device.id for device in value.devices.flat]
            return f"{value.abstract_mesh} of devices {devices}"
        case NamedSharding():
            return f"{value.spec} on {format_static(value.mesh, root)} in {value.memory_kind}"
        case PartitionSpec() | AbstractMesh() | Sharding():
            return f"{kind} {value!r}"
        case type() | types.FunctionType() | types.BuiltinFunctionType():
            return _name_of(value, root)
        case _:
            return _other(value, kind, root)


def _other(value: object, kind: str, root: str) -> str:
    if isinstance(value, TraceKey):
        record = value.cls.__codegen_record__
        pairs = [*zip(record.meta_fields, value.values, strict=True)]
        kind, root = _name_of(value.cls, root), record.package
    elif dataclasses.is_dataclass(value):
        pairs = attributes(value)
    elif type(value) is frozendict:
        return f"frozendict({_items(value.items(), root)})"
    elif callable(value) and is_found(value):
        return _name_of(value, root)
    else:
        try:
            # As in pickle: by the call that recreates it. This table knows compiled
            # patterns.
            reduce = copyreg.dispatch_table.get(type(value))
            reduced = value.__reduce_ex__(4) if reduce is None else reduce(value)
            return f"{kind} of {format_static(reduced, root)}"
        except Exception:  # noqa: BLE001  A foreign class may raise anything.
            return kind
    fields = (f"{name}={format_static(item, root)}" for name, item in pairs)
    return f"{kind}({', '.join(fields)})"


def _name_of(value: object, root: str) -> str:
    """Return the name of a class or function: that of its module, and its own.

    A generated class is named within its own package, unless it is part of another one.
    The support package has the name of its copies, so that the setting `runtime` changes
    nothing.
    """
    record = getattr(value, "__codegen_record__", None)
    if record is not None:
        root = record.package if root in ("", record.package) else ""
    module, name = module_and_name(value)
    if str(module).startswith(_SUPPORT):
        module, root = f"_runtime.{module.removeprefix(_SUPPORT)}", ""
    return f"{str(module).removeprefix(root)}:{name}"


def _items(values: Iterable[Any], root: str) -> str:
    return ", ".join(format_static(value, root) for value in values)
