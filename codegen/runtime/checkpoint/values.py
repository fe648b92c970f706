# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""Static values and single arrays of what was saved, each through every check.

    Values(package).static(["tuple", [1, ["float", "0x1.0p+0"]]], "")    # (1, 1.0)

What is wrong with one is a `Wrong`, whose text says what was found.
"""

import base64
import dataclasses
import enum
import functools
import math
import operator
import re
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Final

import jax
import jax.numpy as jnp
import numpy as np

from ..classes.arrays import strengthened
from ..converters import is_named_tuple, is_plain
from ..keys.names import canonical as canonical_dtype
from ..statics.views import attributes, is_foreign_dataclass
from .documents import EXACT_MAX
from .packing import Encoded, Packing, dtype_name
from .schemas import Package

_HEX: Final = re.compile(r"-?0x[0-9a-f]+")
_FLOAT: Final = re.compile(r"nan|-?(inf|0x[01]\.[0-9a-f]+p[+-][0-9]+)")
_DTYPE: Final = re.compile(r"[<>|]?\w+(\[\w+\])?")


class Wrong(Exception):
    """A value that cannot be taken; its text says why."""


class Values:
    """Reads static values, of the classes that a package's schemas lead to."""

    def __init__(self, package: Package) -> None:
        self.package = package

    def static(self, code: Encoded, path: str) -> Any:
        """Return a static value.

        Raises:
            Wrong: it is not what is written of a value, or of an unknown class
        """
        if code is None or isinstance(code, bool | str | int):
            return code
        read = self.readers.get(code[0]) if _is_code(code) else None
        if read is None:
            raise Wrong(f"a static value cannot be {shown(code)}")
        try:
            return read(self, path, *code[1:])
        except (
            TypeError,
            ValueError,
            AttributeError,
            LookupError,
            OverflowError,
        ) as error:
            raise Wrong(f"{shown(code)} is no value: {error}") from None

    def _int(self, _: str, text: str) -> int:
        value = int(_matched(_HEX, text), 16)
        if abs(value) <= EXACT_MAX or hex(value) != text:
            raise Wrong(f"{shown(text)} is not how an int is written")
        return value

    def _float(self, _: str, text: str) -> float:
        value = float.fromhex(_matched(_FLOAT, text))
        if value.hex() != text:
            raise Wrong(f"{shown(text)} is not how a float is written")
        return value

    def _complex(self, path: str, real: str, imag: str) -> complex:
        return complex(self._float(path, real), self._float(path, imag))

    def _bytes(self, _: str, text: str) -> bytes:
        return _decoded(text)

    def _range(self, path: str, *numbers: Encoded) -> range:
        return range(*(self.static(number, path) for number in numbers))

    def _tuple(self, path: str, items: list[Encoded]) -> tuple[Any, ...]:
        return tuple([self.static(one, f"{path}[{i}]") for i, one in enumerate(items)])

    def _frozenset(self, path: str, items: list[Encoded]) -> frozenset[Any]:
        found = frozenset(self._tuple(path, items))
        if len(found) != len(items):
            raise Wrong("a frozenset has an item twice")
        return found

    def _frozendict(self, path: str, pairs: list[Encoded]) -> Any:
        frozendict = imported("frozendict").frozendict
        return frozendict(self._tuple(path, pair) for pair in pairs)

    def _enum(self, path: str, name: str, member: Encoded) -> Any:
        kind = self.found(name, _is_enum, "enum")
        if not isinstance(member, str):
            return kind(self.static(member[1], path))
        former = self.package.entry(self.package.now(name)).get("former", {})
        members = [former.get(one, one) for one in member.split("|")]
        if not {*members} <= {*kind.__members__}:
            known = ", ".join(kind.__members__)
            raise Wrong(
                f"`{name}` has no member `{member}` now, it has {known}: if one of them was "
                f"called so, write `# codegen: was[{member}]` behind it"
            )
        return functools.reduce(operator.or_, (kind[one] for one in members))

    def _namedtuple(self, path: str, name: str, items: dict[str, Encoded]) -> Any:
        kind = self.found(name, is_named_tuple, "named tuple")
        if {*kind._fields} != {*items}:
            raise Wrong(f"`{name}` has the fields {', '.join(kind._fields)} now")
        values = [self.static(items[one], f"{path}.{one}") for one in kind._fields]
        return kind._make(values)

    def _dataclass(self, path: str, name: str, items: dict[str, Encoded]) -> Any:
        kind = self.found(name, is_foreign_dataclass, "dataclass")
        given = {one: self.static(code, f"{path}.{one}") for one, code in items.items()}
        init = {one.name for one in dataclasses.fields(kind) if one.init}
        try:
            made = kind(**{one: value for one, value in given.items() if one in init})
        except Exception as error:  # noqa: BLE001  Whatever a foreign class raises there.
            raise Wrong(f"`{name}` cannot be made of what was saved: {error}") from None
        packing = Packing(self.package)
        if any(
            packing.static(value, path) != packing.static(given.get(one), path)
            for one, value in attributes(made)
        ):
            raise Wrong(f"`{name}` makes another object of what was saved")
        return made

    def _constant(self, _: str, dtype: str, shape: list[int], text: str) -> Any:
        kind, data = self._dtype(_, dtype), _decoded(text)
        is_shape = all(type(size) is int and 0 <= size < EXACT_MAX for size in shape)
        if not is_shape or math.prod(shape) * kind.itemsize != len(data):
            raise Wrong(f"an array {shape} of {dtype} has not {len(data)} bytes")
        little = np.frombuffer(data, kind.newbyteorder("<"))
        return np.ndarray(shape, kind, little.astype(kind, copy=False).tobytes())

    def _scalar(self, path: str, dtype: str, shape: list[int], text: str) -> Any:
        return self._constant(path, dtype, shape, text)[()]

    def _dtype(self, _: str, name: str) -> np.dtype[Any]:
        dtype: np.dtype[Any] = np.dtype(_matched(_DTYPE, name))
        if not is_plain(dtype) or dtype_name(dtype) != name:
            raise Wrong(f"there are no arrays of {name}")
        return canonical_dtype(dtype)

    def found(self, name: str, is_one: Callable[[Any], bool], what: str) -> Any:
        """Return the class of a name, of a kind.

        Raises:
            Wrong: there is none
        """
        kind = self.package.find_class(str(name))
        if not isinstance(kind, type) or not is_one(kind):
            called = str(name).replace(":", ".").rpartition(".")[2]
            raise Wrong(
                f"the {what} `{name}` is none that the schemas declare or import: import "
                "its module before; or, if it is called otherwise now, write "
                f"`# codegen: was[{called}]` behind it"
            )
        return kind

    readers: ClassVar[dict[str, Callable[..., Any]]] = {
        "int": _int,
        "float": _float,
        "complex": _complex,
        "bytes": _bytes,
        "range": _range,
        "tuple": _tuple,
        "frozenset": _frozenset,
        "frozendict": _frozendict,
        "enum": _enum,
        "namedtuple": _namedtuple,
        "dataclass": _dataclass,
        "constant": _constant,
        "scalar": _scalar,
        "dtype": _dtype,
    }


def imported(name: str) -> Any:
    """Return a part of the support package, which schemas that need it have imported.

    Raises:
        Wrong: none does
    """
    part = sys.modules.get(f"{__name__.rsplit('.', 2)[0]}.{name}")
    if part is None:
        raise Wrong(f"no schema that was imported has anything of `{name}`")
    return part


def _is_code(code: Encoded) -> bool:
    return isinstance(code, list) and bool(code) and isinstance(code[0], str)


def _is_enum(kind: type[Any]) -> bool:
    return issubclass(kind, enum.Enum)


def _matched(pattern: re.Pattern[str], text: Encoded) -> str:
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise Wrong(f"{shown(text)} is no such value")
    return text


def _decoded(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise Wrong(f"{shown(text)} is not how bytes are written")
    return data


def shown(code: Encoded) -> str:
    """Return the beginning of what is written of a value."""
    text = repr(code)
    return text if len(text) <= 60 else f"{text[:57]}..."


# --- arrays


def loaded(array: Any, dtype: str, shape: list[int], said: dict[str, Any]) -> Any:
    """Return an array as it was when it was saved: weak, of keys, of NumPy.

    Args:
        array: what was given for it: of JAX, of NumPy, or a `jax.ShapeDtypeStruct`
        dtype: as it was saved
        shape: the same
        said: the same of what makes it special

    Raises:
        Wrong: it has another shape or dtype, or JAX cannot hold it
    """
    if not hasattr(array, "shape") or not hasattr(array, "dtype"):
        raise Wrong(f"an array was saved, and a {type(array).__qualname__} was given")
    if getattr(array.dtype, "type", None) is np.void:
        kind = np.dtype(dtype)
        # What a file of NumPy's makes of bfloat16, whose own kind is "V", too.
        if kind.isbuiltin == 2 and array.dtype == f"V{kind.itemsize}":
            array = array.view(kind)
    if (array.dtype.name, [*array.shape]) != (dtype, shape):
        found = f"{array.dtype.name}{[*array.shape]}"
        raise Wrong(f"{dtype}{shape} was saved, and {found} was given")
    if isinstance(array, jax.ShapeDtypeStruct):
        return jax.eval_shape(lambda one: _special(one, said), array)
    if "numpy" in said:
        held = np.asarray(array)
        return held[()] if said["numpy"] == "scalar" else held
    # In the order of bytes that JAX takes, whichever a file has.
    made = (
        array if isinstance(array, jax.Array) else jnp.array(np.asarray(array, dtype))
    )
    if made.dtype.name != dtype:
        raise Wrong(f"{dtype} was saved, which JAX holds with `jax_enable_x64` alone")
    return _special(made, said)


def _special(array: Any, said: dict[str, Any]) -> Any:
    if "key" in said:
        return jax.random.wrap_key_data(array, impl=said["key"])
    if said.get("weak") and not array.weak_type:
        # An update keeps the type of what is updated.
        number = jnp.asarray(array.dtype.type(0).item())
        return jnp.broadcast_to(number, array.shape).at[...].set(array)
    return array if said.get("weak") else strengthened(array)
