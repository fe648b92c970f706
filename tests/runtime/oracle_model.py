"""A number that encodes everything a program can observe of a value.

seen(1) != seen(True)       # the types are observable
seen(0.0) != seen(-0.0)     # the bits are observable
seen(nan) == seen(-nan)     # the payload of a NaN is not: each type has one NaN
"""

from __future__ import annotations

import collections
import dataclasses
import math
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

traces: collections.Counter[str] = collections.Counter()


def seen(value: Any) -> float:
    """Return a number for everything that a program can observe of a value, without using keys."""
    return float(zlib.crc32(description(value).encode()) % 2**20)


def description(value: Any) -> str:
    """Describe everything that a program can observe of a value."""
    kind = type(value)
    if isinstance(value, Mapping):
        # Each generated package has its own frozendict class.
        return f"<frozendict {_all(value.items())}>"
    return f"<{kind.__module__}.{kind.__qualname__} {id(kind)} {_content(value)}>"


def _content(value: Any) -> str:
    for kinds, describe in _DESCRIBED:
        if isinstance(value, kinds):
            return describe(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f.name for f in dataclasses.fields(value)]
        return _all(getattr(value, name) for name in fields if hasattr(value, name))
    return repr(value)


def _all(values: Any) -> str:
    return ", ".join(map(description, values))


def _number(value: Any) -> str:
    parts = (value.real, value.imag)
    return ", ".join("nan" if math.isnan(x) else struct.pack("<d", x).hex() for x in parts)


def _array(value: Any) -> str:
    return f"{value.dtype.name} {value.shape} {value.tobytes().hex()}"


def _scalar(value: Any) -> str:
    return f"{value.dtype.name} {value!r}"


_DESCRIBED: tuple[tuple[Any, Callable[[Any], str]], ...] = (
    (np.generic, _scalar),
    (np.ndarray, _array),
    ((float, complex), _number),
    (tuple, _all),
    (frozenset, lambda value: ", ".join(sorted(map(description, value)))),
)


def run(x: jax.Array, value: Any) -> jax.Array:
    traces["run"] += 1
    return x + seen(value)


def double(x: jax.Array) -> jax.Array:
    return x * 2


def triple(x: jax.Array) -> jax.Array:
    return x * 3
