"""Split a state into its arrays by path and a text that describes everything else.

packed = pack(plate)
packed.arrays       # {"u": Array(...), "grid.faces[0]": Array(...)}
packed.about        # canonical JSON: schemas, structure, static values, numbers

Every value except the plainest is a list that begins with its kind, so values of
different types are never written alike: `(1, 1.0)` is
`["tuple", [1, ["float", "0x1.0000000000000p+0"]]]`.
"""

import base64
import contextlib
import dataclasses
import enum
import math
import numbers
import pathlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, PartitionSpec, Sharding

from ..converters import is_plain
from ..declared import CONTAINERS
from ..evolution import Entry, saved_part
from ..frozen_dicts import frozendict
from ..keys.conversion import as_float, is_same
from ..keys.names import KINDS, content_of, is_found, is_generated, is_kind
from ..mesh.fingerprints import fingerprint, format_static
from ..sharing import HOLE
from ..statics.views import attributes, is_foreign_dataclass, is_named_tuple
from .differences import noun
from .documents import (
    EXACT_MAX,
    FORMAT,
    HALVES,
    MISFITS,
    Encoded,
    canonical,
    describe_constant,
    dtype_name,
    format_document,
    parse_constant,
    read_dtype,
    to_stored,
)
from .schemas import Package, fits, is_array

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
# There is no value, or no code of one.
NOTHING: Final[Any] = object()


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


# --- values without parts


class Form(NamedTuple):
    """How the values of a type are written, besides their kind, and read again."""

    is_value: Callable[[Any], bool]
    write: Callable[[Any], list[Encoded]]
    read: Callable[..., Any]
    # The same as plain data, if a declared type says the rest, and what that must be.
    to_plain: Callable[[Any], Any] | None = None
    from_plain: Callable[..., Any] = lambda data: data
    wanted: str = ""


def _is(kind: type[Any]) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind


def _write_scalar(value: Any) -> list[Encoded]:
    # An array would shorten a text that ends in zero.
    is_cut = isinstance(value, np.str_ | np.bytes_) and value[-1:] in ("\0", b"\0")
    return [write(value[:])] if is_cut else describe_constant(np.asarray(value))


def _read_scalar(*code: Encoded) -> Any:
    if len(code) != 1:
        return parse_constant(*code)[()]
    (inner,) = code
    text = read(inner)
    return (np.str_ if isinstance(text, str) else np.bytes_)(text)


def _from_base64(text: str) -> bytes:
    return base64.b64decode(text.encode(), validate=True)


def _to_numbers(value: Any) -> Any:
    """Return a float, or lists of numbers, as JSON has them: infinity is "inf"."""
    if isinstance(value, list):
        return [*map(_to_numbers, value)]
    is_finite = type(value) is not float or math.isfinite(value)
    return value if is_finite else str(value)


def _from_numbers(data: Any) -> Any:
    if isinstance(data, list | tuple):
        return [*map(_from_numbers, data)]
    return float(data) if data in ("nan", "inf", "-inf") else data


def _to_complex(pair: Any) -> complex:
    real, imag = _from_numbers(pair)
    return complex(as_float(real, "", ""), as_float(imag, "", ""))


def _to_dtype(name: Any) -> np.dtype[Any]:
    if type(name) is not str:
        raise TypeError("not a name")
    return np.dtype(name)  # Any name that NumPy knows for it.


def _to_array(dtype: str, data: Any) -> np.ndarray[Any, Any]:
    """Return the array of a dtype or kind; a decimal is rounded like a literal."""
    source = np.asarray(_from_numbers(data))
    is_exact_one = dtype in (*KINDS, "bool")
    array = source if is_exact_one else source.astype(np.dtype(dtype))
    is_exact = np.array_equal(array, source, equal_nan=source.dtype.kind in "fc")
    is_rounded = source.dtype.kind == "f" and is_kind(array.dtype, np.inexact)
    if source.dtype.kind not in "biufc" or not (is_exact or is_rounded):
        raise ValueError("other numbers")
    return array


# By the kind. JSON has bools, and most strings and ints, itself.
FORMS: Final = {
    "bool": Form(_is(bool), lambda value: [value], bool),
    "str": Form(_is(str), lambda value: [HALVES.split(value)], "".join),
    "int": Form(_is(int), lambda value: [hex(value)], lambda text: int(text, 16)),
    "float": Form(
        _is(float),
        lambda value: [value.hex()],
        float.fromhex,
        _to_numbers,
        _from_numbers,
        "a float",
    ),
    "complex": Form(
        _is(complex),
        lambda value: [value.real.hex(), value.imag.hex()],
        lambda *parts: complex(*map(float.fromhex, parts)),
        lambda value: _to_numbers([value.real, value.imag]),
        _to_complex,
        "a list of two numbers",
    ),
    "range": Form(
        _is(range),
        lambda value: [*map(write, (value.start, value.stop, value.step))],
        lambda *numbers: range(*map(read, numbers)),
    ),
    "bytes": Form(
        _is(bytes),
        lambda value: [base64.b64encode(value).decode()],
        _from_base64,
        lambda value: base64.b64encode(value).decode(),
        _from_base64,
        "base64",
    ),
    "dtype": Form(
        lambda value: isinstance(value, np.dtype) and is_plain(value),
        lambda value: [dtype_name(value)],
        read_dtype,
        lambda value: value.name,
        _to_dtype,
        "the name of a dtype",
    ),
    "constant": Form(
        lambda value: isinstance(value, np.ndarray),
        describe_constant,
        parse_constant,
        lambda value: _to_numbers(value.tolist()),
        _to_array,
    ),
    "scalar": Form(
        lambda value: isinstance(value, np.generic) and is_plain(value.dtype),
        _write_scalar,
        _read_scalar,
    ),
}


def form_of(value: Any) -> tuple[str, Form] | None:
    """Return the kind and the form of a value without parts; None for other values."""
    return next((each for each in FORMS.items() if each[1].is_value(value)), None)


def write(value: Any) -> Encoded:
    """Return the code of a value without parts; `NOTHING` for any other value."""
    kind = type(value)
    if value is None or kind is bool or (kind is int and abs(value) <= EXACT_MAX):
        return value
    if kind is str and not HALVES.search(value):
        return value
    if (found := form_of(value)) is None:
        return NOTHING
    name, form = found
    return [name, *form.write(value)]


def read(code: Encoded) -> Any:
    """Return the value of such a code, which may be wrong; `NOTHING` for another code."""
    match code:
        case None | bool() | int() | str():
            return code
        case [str(name), *parts] if name in FORMS:
            return FORMS[name].read(*parts)
        case _:
            return NOTHING


class Packing:
    """One run over a state."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.arrays: dict[str, Any] = {}
        self.classes: dict[str, Entry] = {}

    def object(self, value: Any, path: str) -> Encoded:
        """Encode an object of a generated class: its name and its fields."""
        record = type(value).__codegen_record__
        name, dot = self.package.name_of(type(value)), f"{path}." if path else ""
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
            if not fits(one, record.data_fields[field]):
                declared = self.classes[name]["fields"][field].partition(" ")[2]
                what = f"it is {noun(one)}, which `{declared}` does not accept"
                raise _refusal(dot + field, what)
        return ["object", name, fields]

    # --- values with parts

    def dynamic(self, value: Any, path: str) -> Encoded:
        """Encode a value of a dynamic field; its arrays are collected separately."""
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, str):
            return write(value)
        if is_generated(value):
            return self.object(value, path)
        if value is HOLE:
            return ["shared"]
        if is_array(value):
            return self._array(value, path)
        if kind in CONTAINERS or is_named_tuple(kind):
            return self._container(value, path, self.dynamic)
        opened = open_node(value)
        if opened is None:
            # A consumed array raises its own error here.
            getattr(value, "__jax_array__", None)
            what = f"a {kind.__qualname__} is not an array, a number or a pytree"
            raise _refusal(path, what)
        children, rest = opened
        items = [[key, self.dynamic(child, path + key)] for key, child in children]
        return ["node", self.package.name_of(type(value)), rest, items]

    def _array(self, value: Any, path: str) -> Encoded:
        if path in self.arrays:
            raise _refusal(path, "another array has the same path")
        try:
            self.arrays[path], code = to_stored(value)
        except TypeError as error:
            raise _refusal(path, str(error)) from None
        return ["array", *code]

    def static(self, value: Any, path: str) -> Encoded:
        """Encode a static value."""
        kind = type(value)
        if is_generated(value):
            return self.object(value, path)
        if (code := write(value)) is not NOTHING:
            return code
        if isinstance(value, enum.Enum):
            return [
                "enum",
                self.package.name_of(type(value)),
                self._member(value, path),
            ]
        if kind in (tuple, frozenset, frozendict) or is_named_tuple(kind):
            return self._container(value, path, self.static)
        if is_foreign_dataclass(kind) and is_found(kind):
            return self._dataclass(value, path)
        return ["named", *self.encode_text(value)]

    def _container(
        self, value: Any, path: str, encode: Callable[[Any, str], Encoded]
    ) -> Encoded:
        """Encode a container of values that a function encodes."""
        kind = type(value)
        if kind is dict or kind is frozendict:
            # Only the keys of a dict are in the paths of arrays, and must be texts.
            ways = (
                _step(key, path) if kind is dict else f"[{i}]"
                for i, key in enumerate(value)
            )
            pairs = [
                [self.static(key, f"{path}.keys()"), encode(item, path + way)]
                for way, (key, item) in zip(ways, value.items(), strict=True)
            ]
            if kind is dict:  # The order of a frozendict is part of its value.
                pairs.sort(key=lambda pair: canonical(pair[0]))
            return [kind.__name__, pairs]
        if is_named_tuple(kind):
            named = zip(kind._fields, value, strict=True)
            fields = {name: encode(one, f"{path}.{name}") for name, one in named}
            return ["namedtuple", self.package.name_of(type(value)), fields]
        codes = [encode(one, f"{path}[{i}]") for i, one in enumerate(value)]
        is_set = kind is frozenset
        return [kind.__name__, sorted(codes, key=canonical) if is_set else codes]

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
        name, held = self.package.name_of(type(value)), dict(attributes(value))
        fields = {k: self.static(one, f"{path}.{k}") for k, one in held.items()}
        is_known = self.package.find_class(name) is type(value)
        if is_known and recreated(type(value), held) is None:
            what = f"the constructor of `{name}` does not return an equal object for its fields"
            raise _refusal(path, what)
        return ["dataclass", name, fields]

    def encode_text(self, value: Any) -> list[Encoded]:
        """Encode the text of a value, and whether other values may have the same text,
        as lambdas do.
        """
        text = format_static(value, self.package.name)
        return [text] if has_exact_text(value) else [text, "one"]


def recreated(kind: Any, fields: Mapping[str, Any]) -> Any:
    """Return what the constructor of a foreign dataclass creates from fields; None if it
    has other fields, or there is an error.
    """
    names = [one.name for one in dataclasses.fields(kind) if one.init]
    try:
        value = kind(**{name: fields[name] for name in names if name in fields})
    except Exception:  # noqa: BLE001  A foreign class may raise anything.
        return None
    again = dict(attributes(value))
    # Most constructors keep their arguments.
    is_equal = again.keys() == fields.keys() and all(
        one is fields[k] or is_same(one, fields[k]) for k, one in again.items()
    )
    return value if is_equal else None


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


def _step(key: Any, path: str) -> str:
    """Return the step to an item of a dict, by its key."""
    try:
        step = f"[{key!r}]"
        step.encode()
    except MISFITS as error:
        what = f"one of its keys cannot be written as text: {error}"
        raise _refusal(path, what) from None
    return step


def _refusal(path: str, why: str) -> TypeError:
    return TypeError(f"cannot pack `{path or 'the state'}`: {why}")
