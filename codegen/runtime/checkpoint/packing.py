# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""From a state to its arrays by path, and the text that says all the rest.

    packed = pack(plate)
    packed.arrays       # {"u": Array(...), "grid.faces[0]": Array(...)}
    packed.about        # canonical JSON: schemas, structure, static values, numbers

Every value is written as a list that begins with its kind, so that no two values of
different types are written alike: `["float","0x1.0p+0"]` is not `1`.
"""

import base64
import enum
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import jax
import numpy as np
from jax.core import Tracer

from ..classes.arrays import has_weak_type
from ..converters import is_named_tuple, is_plain
from ..keys.names import canonical as canonical_dtype
from ..keys.names import is_found, is_generated, is_kind
from ..mesh.fingerprints import fingerprint, text_of
from ..statics.views import attributes, is_foreign_dataclass
from .documents import EXACT_MAX, FORMAT, canonical, written
from .fitting import fits, noun, text
from .schemas import Entry, Package, parse

Encoded = Any  # What JSON holds.

_ARRAYS: Final = (jax.Array, np.ndarray, jax.ShapeDtypeStruct)
_CONTAINERS: Final[dict[Any, str]] = {tuple: "tuple", list: "list"}


class Packed(NamedTuple):
    """A state in two halves, which any store can hold."""

    # By path. Example: "model.blocks[0].attention.w"; keys as their key data.
    arrays: dict[str, Any]
    about: str


def pack(state: Any) -> Packed:
    """Take a state apart into its arrays and a text that says all the rest.

    Args:
        state: an object of a generated class; arrays may be `jax.ShapeDtypeStruct`

    Raises:
        TypeError: it is no such object, or holds what cannot be saved; it names the path
    """
    package = Package.of(type(state))
    packing = Packing(package)
    try:
        root = packing.dynamic(state, "")
    except RecursionError:
        raise TypeError("cannot pack a state that is nested so deeply") from None
    document = {
        "classes": packing.classes,
        "fingerprint": fingerprint(state),
        "format": FORMAT,
        "root": root,
    }
    return Packed(packing.arrays, written(document))


class Packing:
    """One run over a state."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.arrays: dict[str, Any] = {}
        self.classes: dict[str, Entry] = {}

    # --- what is traced

    def dynamic(self, value: Any, path: str) -> Encoded:
        """Write a value of a dynamic field; its arrays are set apart."""
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, str):
            return self.static(value, path)
        if is_generated(value):
            return self._object(value, path)
        if hasattr(kind, "__codegen_hole__"):
            return ["shared"]
        if isinstance(value, _ARRAYS) or is_numpy_scalar(value):
            return self._array(value, path)
        if kind in _CONTAINERS:
            items = enumerate(value)
            return [
                _CONTAINERS[kind],
                [self.dynamic(v, f"{path}[{i}]") for i, v in items],
            ]
        if kind is dict:
            pairs = [
                [self.static(key, path), self.dynamic(item, f"{path}[{key!r}]")]
                for key, item in value.items()
            ]
            return ["dict", sorted(pairs, key=lambda pair: canonical(pair[0]))]
        if is_named_tuple(kind):
            named = zip(kind._fields, value, strict=True)
            fields = {name: self.dynamic(v, f"{path}.{name}") for name, v in named}
            return ["namedtuple", self.package.name_of(kind), fields]
        return self._node(value, path)

    def _node(self, value: Any, path: str) -> Encoded:
        """Write a pytree of a class that somebody else has registered."""
        opened = opened_node(value)
        if opened is None:
            # What was consumed says so itself.
            getattr(value, "__jax_array__", None)
            raise TypeError(
                f"cannot pack `{path or 'the state'}`: a {type(value).__qualname__} is "
                "neither array nor number, and no pytree"
            )
        children, rest = opened
        items = [[key, self.dynamic(child, path + key)] for key, child in children]
        return ["node", self.package.name_of(type(value)), rest, items]

    def _array(self, value: Any, path: str) -> Encoded:
        if isinstance(value, Tracer):
            raise TypeError(
                f"cannot pack `{path}` while a function is traced: pack its result"
            )
        said: dict[str, Any] = {}
        if has_weak_type(value):
            said["weak"] = True
        if isinstance(value, np.ndarray | np.generic):
            said["numpy"] = "scalar" if isinstance(value, np.generic) else "array"
            value = np.asarray(value)
            if not is_plain(value.dtype):
                raise TypeError(f"cannot pack `{path}`: an array of {value.dtype}")
        elif is_kind(value.dtype, jax.dtypes.prng_key):
            value = _key_data(value, said)
        self.arrays[path] = value
        return ["array", value.dtype.name, list(value.shape), said]

    def _object(self, value: Any, path: str) -> Encoded:
        record = type(value).__codegen_record__
        name = self.package.name_of(type(value))
        if self.package.find_class(name) is None:
            raise TypeError(
                f"cannot pack `{path or 'the state'}`: its class `{name}` cannot be found "
                "by that name: define it in a module, outside of functions"
            )
        entry = self.package.entry(name)
        if name not in self.classes:
            own = entry or Package.of(type(value)).entry(record.schema)
            self.classes[name] = saved_part(own)
        children, key = record.flatten(value)
        dot = f"{path}." if path else ""
        static = zip(record.meta_fields, key.values, strict=True)
        dynamic = zip(record.data_fields, children, strict=True)
        fields = {name: self.static(one, dot + name) for name, one in static}
        for field, one in dynamic:
            fields[field] = self.dynamic(one, dot + field)
            declared = parse(self.classes[name]["fields"][field].partition(" ")[2])
            if not fits(one, declared, self.package):
                raise TypeError(
                    f"cannot pack `{dot}{field}`: it is {noun(one)}, which "
                    f"`{text(declared)}` does not take"
                )
        return ["object", name, fields]

    # --- what is static

    def static(self, value: Any, path: str) -> Encoded:
        """Write a static value, or a number."""
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if abs(value) <= EXACT_MAX else ["int", hex(value)]
        if kind is float:
            return ["float", value.hex()]
        if kind is complex:
            return ["complex", value.real.hex(), value.imag.hex()]
        if kind is bytes:
            return ["bytes", base64.b64encode(value).decode()]
        if kind is range:
            return [
                "range",
                *(self.static(n, path) for n in (value.start, value.stop, value.step)),
            ]
        if kind is tuple:
            return ["tuple", self._items(value, path)]
        if kind is frozenset:
            return ["frozenset", sorted(self._items(value, path), key=canonical)]
        if is_generated(value):
            return self._object(value, path)
        if hasattr(kind, "__codegen_tag__"):
            return ["frozendict", [self._items(pair, path) for pair in value.items()]]
        return self._other(value, path)

    def _items(self, values: Any, path: str) -> list[Encoded]:
        return [self.static(item, f"{path}[{i}]") for i, item in enumerate(values)]

    def _other(self, value: Any, path: str) -> Encoded:
        kind: Any = type(value)
        name = self.package.name_of(kind)
        if isinstance(value, enum.Enum):
            return [
                "enum",
                name,
                value.name or ["value", self.static(value.value, path)],
            ]
        if is_named_tuple(kind):
            items = self._items(value, path)
            return ["namedtuple", name, dict(zip(kind._fields, items, strict=True))]
        if isinstance(value, np.ndarray):
            return ["constant", *_content(value)]
        if is_numpy_scalar(value):
            return ["scalar", *_content(np.asarray(value))]
        if isinstance(value, np.dtype) and is_plain(value):
            return ["dtype", dtype_name(value)]
        if is_foreign_dataclass(kind) and is_found(kind):
            held = {
                n: self.static(item, f"{path}.{n}") for n, item in attributes(value)
            }
            return ["dataclass", name, held]
        return ["named", text_of(value, self.package.name)]


def saved_part(entry: Entry) -> Entry:
    """Return what a checkpoint keeps of a class's schema."""
    return {k: entry[k] for k in ("fields", "parameters", "shares") if k in entry}


def _key_data(value: Any, said: dict[str, Any]) -> Any:
    """Return the data of a key, of an abstract one too; note what implements it."""

    def data(key: Any) -> Any:
        said["key"] = str(jax.random.key_impl(key))
        return jax.random.key_data(key)

    is_abstract = isinstance(value, jax.ShapeDtypeStruct)
    return jax.eval_shape(data, value) if is_abstract else data(value)


def is_numpy_scalar(value: Any) -> bool:
    """Tell whether a value is a number of NumPy, or a bool of it."""
    return isinstance(value, np.generic) and is_plain(value.dtype)


def opened_node(value: Any) -> tuple[list[tuple[str, Any]], str] | None:
    """Return the children of a registered node by their steps, and a text of the rest."""
    flatten: Any = jax.tree_util.tree_flatten_with_path
    leaves, treedef = flatten(value, is_leaf=lambda one: one is not value)
    data = treedef.node_data()
    if data is None:
        return None
    return [(jax.tree_util.keystr(step), leaf) for step, leaf in leaves], text_of(
        data[1], ""
    )


def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the name by which a dtype is found again."""
    dtype = canonical_dtype(dtype)
    return dtype.str if dtype.kind in "MmSU" else dtype.name


def _content(array: np.ndarray[Any, Any]) -> Iterator[Encoded]:
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    yield from (dtype_name(array.dtype), list(array.shape))
    yield base64.b64encode(little.tobytes()).decode()
