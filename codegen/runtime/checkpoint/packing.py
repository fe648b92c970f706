"""Split a state into its arrays by path and a text that describes everything else.

packed = pack(plate)
packed.arrays       # {"u": Array(...), "grid.faces[0]": Array(...)}
packed.about        # canonical JSON: schemas, structure, static values, numbers

Every value except the plainest is a list that begins with its kind, so values of
different types are never written alike: `(1, 1.0)` is
`["tuple", [1, ["float", "0x1.0000000000000p+0"]]]`.
"""

import contextlib
import dataclasses
import enum
import numbers
import pathlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, PartitionSpec, Sharding

from ..converters import is_plain
from ..evolution import Entry, format_type, parse_field, saved_part
from ..frozen_dicts import frozendict
from ..keys.names import content_of, is_found, is_generated
from ..mesh.fingerprints import fingerprint, format_static
from ..sharing import HOLE
from ..statics.views import attributes, is_foreign_dataclass, is_named_tuple
from .differences import noun
from .documents import (
    EXACT_MAX,
    FORMAT,
    HALVES,
    MISFITS,
    TEXT_FORMS,
    Encoded,
    canonical,
    describe_constant,
    ends_in_zero,
    format_document,
    to_stored,
)
from .schemas import Package, fits

_ARRAYS: Final = (jax.Array, np.ndarray, jax.ShapeDtypeStruct)
# Values without a name that are equal if their texts are equal.
_TOLD: Final = (
    numbers.Number,
    pathlib.PurePath,
    re.Pattern,
    AbstractMesh,
    Mesh,
    PartitionSpec,
    Sharding,
)


class Packed(NamedTuple):
    """A state in two parts, which any store can hold."""

    # By path. Example: "model.blocks[0].attention.w". Random keys are stored as their
    # key data.
    arrays: dict[str, Any]
    about: str


def pack(state: Any) -> Packed:
    """Split a state into its arrays and a text that describes everything else.

    Numbers of 8 bits or less that NumPy does not have are stored as `uint8`.

    Args:
        state: an object of a generated class; arrays may be `jax.ShapeDtypeStruct`

    Raises:
        TypeError: it is no such object, or contains a value that cannot be saved; the
            error names the path
    """
    packing = Packing(Package.of(type(state)))
    try:
        root, digits = packing.dynamic(state, ""), fingerprint(state)
    except RecursionError:
        raise TypeError("cannot pack the state: it is nested too deeply") from None
    document = {
        "classes": packing.classes,
        "fingerprint": digits,
        "format": FORMAT,
        "root": root,
    }
    return Packed(packing.arrays, format_document(document))


class Packing:
    """One run over a state."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.arrays: dict[str, Any] = {}
        self.classes: dict[str, Entry] = {}

    def object(self, value: Any, path: str) -> Encoded:
        """Encode an object of a generated class: its name and its fields."""
        record, package = type(value).__codegen_record__, Package.of(type(value))
        name, dot = self.name(value), f"{path}." if path else ""
        if self.package.find_class(name) is None:
            what = f"no schema declares or imports its class `{name}`"
            raise _refusal(path, f"{what}, or the class is local to a function")
        if name not in self.classes:
            self.classes[name] = saved_part(self.package.entry(name))
        children, key = record.flatten(value)
        static = zip(record.meta_fields, key.values, strict=True)
        fields = {field: self.static(one, dot + field) for field, one in static}
        for field, child in zip(record.data_fields, children, strict=True):
            one = content_of(child) if field in record.ref_fields else child
            fields[field] = self.dynamic(one, dot + field)
            _, declared = parse_field(self.classes[name]["fields"][field])
            if not fits(one, declared, package):
                what = f"it is {noun(one)}, which `{format_type(declared)}` does not accept"
                raise _refusal(dot + field, what)
        return ["object", name, fields]

    def name(self, value: Any) -> str:
        """Return the name of a value's class."""
        return self.package.name_of(type(value))

    # --- traced values

    def dynamic(self, value: Any, path: str) -> Encoded:
        """Encode a value of a dynamic field; its arrays are collected separately."""
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, str):
            return self.static(value, path)
        if is_generated(value):
            return self.object(value, path)
        if value is HOLE:
            return ["shared"]
        if isinstance(value, _ARRAYS) or is_numpy_scalar(value):
            return self._array(value, path)
        if kind is tuple or kind is list:
            items = [self.dynamic(one, f"{path}[{i}]") for i, one in enumerate(value)]
            return [kind.__name__, items]
        if kind is dict:
            pairs = [
                [self.static(key, path), self.dynamic(item, path + _step(key, path))]
                for key, item in value.items()
            ]
            return ["dict", sorted(pairs, key=lambda pair: canonical(pair[0]))]
        if is_named_tuple(kind):
            named = zip(kind._fields, value, strict=True)
            fields = {name: self.dynamic(v, f"{path}.{name}") for name, v in named}
            return ["namedtuple", self.name(value), fields]
        return self._node(value, path)

    def _node(self, value: Any, path: str) -> Encoded:
        """Encode a pytree of a class that another package has registered."""
        opened = open_node(value)
        if opened is None:
            # A consumed array raises its own error here.
            getattr(value, "__jax_array__", None)
            kind = type(value).__qualname__
            raise _refusal(path, f"a {kind} is not an array, a number or a pytree")
        children, rest = opened
        items = [[key, self.dynamic(child, path + key)] for key, child in children]
        return ["node", self.name(value), rest, items]

    def _array(self, value: Any, path: str) -> Encoded:
        if path in self.arrays:
            raise _refusal(path, "another array has the same path")
        try:
            self.arrays[path], code = to_stored(value)
        except TypeError as error:
            raise _refusal(path, str(error)) from None
        return ["array", *code]

    # --- static values

    def static(self, value: Any, path: str) -> Encoded:
        """Encode a static value, or a number."""
        kind, parts = type(value), value  # Untyped: checks must not narrow it.
        is_small = kind is int and abs(value) <= EXACT_MAX
        if value is None or is_small or kind is bool:
            return value
        if kind is str:
            return ["str", HALVES.split(value)] if HALVES.search(value) else value
        if is_generated(value):
            return self.object(value, path)
        if kind is int:
            return ["int", hex(value)]
        if kind is float:
            return ["float", value.hex()]
        if kind is complex:
            return ["complex", value.real.hex(), value.imag.hex()]
        if kind is range:
            return [
                "range",
                *self._items((value.start, value.stop, value.step), path),
            ]
        if kind is tuple:
            return ["tuple", self._items(value, path)]
        if kind is frozenset:
            return [
                "frozenset",
                sorted(self._items(value, path), key=canonical),
            ]
        if type(value) is frozendict:
            return [
                "frozendict",
                [self._items(pair, path) for pair in parts.items()],
            ]
        if isinstance(value, enum.Enum):
            return ["enum", self.name(value), self._member(value, path)]
        if is_named_tuple(kind):
            pairs = zip(parts._fields, parts, strict=True)
            return ["namedtuple", self.name(value), self._fields(pairs, path)]
        if isinstance(value, np.ndarray):
            return ["constant", *describe_constant(value)]
        if ends_in_zero(value):
            return ["scalar", self.static(parts[:], path)]
        if is_numpy_scalar(value):
            return ["scalar", *describe_constant(np.asarray(value))]
        for name, form in TEXT_FORMS.items():
            if form.is_value(value):
                return [name, form.write(value)]
        if is_foreign_dataclass(kind) and is_found(kind):
            return self._dataclass(value, path)
        return ["named", *self.encode_text(value)]

    def _member(self, value: Any, path: str) -> Encoded:
        """Encode a member of an enum: its name, or the value of flags without a name."""
        kind, name = type(value), value.name or ""
        with contextlib.suppress(KeyError):
            if self.package.member(kind, name) is value and not HALVES.search(name):
                return name
        with contextlib.suppress(*MISFITS):
            if kind(value.value) is value:
                return ["value", self.static(value.value, path)]
        what = f"`{kind.__qualname__}.{name}` cannot be found by its name or its value"
        raise _refusal(path, what)

    def _dataclass(self, value: Any, path: str) -> Encoded:
        """Encode an object of a foreign dataclass, which its constructor must be able
        to create again.
        """
        name, held = self.name(value), dict(attributes(value))
        fields = self._fields(held.items(), path)
        if self.package.find_class(name) is type(value):
            copy = try_construct(type(value), held)
            again = {} if copy is None else dict(attributes(copy))
            # Most constructors keep their arguments unchanged. These are then not
            # written twice.
            changed = {k: one for k, one in again.items() if one is not held.get(k)}
            is_same = again.keys() == held.keys() and all(
                canonical(self.static(one, path)) == canonical(fields[k])
                for k, one in changed.items()
            )
            if not is_same:
                what = f"the constructor of `{name}` does not return an equal object for its fields"
                raise _refusal(path, what)
        return ["dataclass", name, fields]

    def _items(self, values: Iterable[Any], path: str) -> list[Encoded]:
        return [self.static(item, f"{path}[{i}]") for i, item in enumerate(values)]

    def _fields(
        self, pairs: Iterable[tuple[str, Any]], path: str
    ) -> dict[str, Encoded]:
        return {name: self.static(item, f"{path}.{name}") for name, item in pairs}

    def encode_text(self, value: Any) -> list[Encoded]:
        """Encode the text of a value, and whether other values may have the same text,
        as lambdas do.
        """
        return [
            format_static(value, self.package.name),
            *([] if has_exact_text(value) else ["one"]),
        ]


def try_construct(kind: Any, fields: Mapping[str, Any]) -> Any:
    """Return the result of constructing a foreign dataclass from its fields, or None
    for others.
    """
    names = [one.name for one in dataclasses.fields(kind) if one.init]
    try:
        return kind(**{name: fields[name] for name in names if name in fields})
    except Exception:  # noqa: BLE001  A foreign class may raise anything.
        return None


def open_node(value: Any) -> tuple[list[tuple[str, Any]], str] | None:
    """Return the children of a registered node by their steps, and a text of the rest."""
    flatten: Any = jax.tree_util.tree_flatten_with_path
    leaves, treedef = flatten(value, is_leaf=lambda one: one is not value)
    if (data := treedef.node_data()) is None:
        return None
    children = [(jax.tree_util.keystr(step), leaf) for step, leaf in leaves]
    return children, format_static(data[1], "")


def has_exact_text(value: Any) -> bool:
    """Return whether a text identifies one value, as the name of a function does."""
    return is_found(value) or isinstance(value, _TOLD)


def is_numpy_scalar(value: Any) -> bool:
    """Return whether a value is a NumPy number or a NumPy bool."""
    return isinstance(value, np.generic) and is_plain(value.dtype)


def _step(key: Any, path: str) -> str:
    """Return the step to an item of a dict, by its key."""
    try:
        step = f"[{key!r}]"
        step.encode()
    except MISFITS as error:
        raise _refusal(
            path, f"one of its keys cannot be written as text: {error}"
        ) from None
    return step


def _refusal(path: str, why: str) -> TypeError:
    return TypeError(f"cannot pack `{path or 'the state'}`: {why}")
