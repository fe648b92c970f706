"""Strategies for values without parts: numbers, texts, arrays, functions.

Values that are easily confused are drawn often: 1, True and 1.0, zeros of both signs, NaNs.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
import pickle
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax.numpy as jnp
import numpy as np
from hypothesis import strategies
from hypothesis.strategies import SearchStrategy

# The dtypes with which an array of a kind is drawn.
KINDS: Final = {
    "Float": ("float32", "float16", "bfloat16"),
    "Int": ("int32", "int8"),
    "UInt": ("uint32", "uint8"),
    "Bool": ("bool",),
    "Complex": ("complex64",),
    "Inexact": ("float32", "complex64"),
    "Real": ("float32", "int32"),
    "Num": ("float32", "int32", "complex64"),
    "Shaped": ("float32", "int32", "bool"),
}
_DTYPES: Final = tuple(map(jnp.dtype, ("float32", "bfloat16", "float16", "int32", "int8", "bool")))
_REALS: Final = (0.0, 1.0, -0.0, 0.5, -2.0, math.inf, math.nan)
_FUNCTIONS: Final = strategies.sampled_from((operator.neg, operator.pos, abs))
# Values of the types that are one word. A function is also a value with an identity.
WORDS: Final[dict[str, SearchStrategy[Any]]] = {
    "Callable": _FUNCTIONS,
    "dtype": strategies.sampled_from(_DTYPES),
    "identity": _FUNCTIONS,
}
_CONFUSABLE: Final = (
    *(None, 0, False, 0.0, -0.0, 0j, complex(-0.0, 0.0), "", b"", ()),
    *(1, True, 1.0, 1 + 0j, "1", b"1", (1,), (True,), range(1), range(0, 2, 5)),
    *(np.int32(1), np.float32(1), np.bool_(True), np.dtype("int32"), int),
    *(math.nan, complex(math.nan, 1.0), frozenset({1}), frozenset({True}), abs),
)
ANY_KEY: Final[SearchStrategy[Any]] = strategies.sampled_from(_CONFUSABLE)

# Hypothesis validates a strategy on its first draw, which takes longer than the draw.
_REAL: Final[SearchStrategy[float]] = strategies.sampled_from(_REALS)
_COMPLEX: Final = strategies.builds(complex, _REAL, _REAL)
# Values of the scalar types of Python, in static fields.
STATIC: Final[dict[Any, SearchStrategy[Any]]] = {
    int: strategies.integers(),
    float: _REAL | strategies.floats(),
    complex: _COMPLEX,
    bool: strategies.sampled_from((False, True)),
    # Without the seconds that Hypothesis needs to find the characters of UTF-8.
    str: strategies.text(strategies.characters(exclude_categories=["Cs"]), max_size=6),
    bytes: strategies.binary(max_size=6),
    None: strategies.none(),
}
# In dynamic fields, a number has 32 bits.
DYNAMIC: Final = {**STATIC, int: strategies.integers(-1000, 1000), float: _REAL}
# Values that are easily confused with a value of a type.
NEAR: Final[dict[Any, Callable[[Any], Sequence[Any]]]] = {
    int: lambda value: (value + 1, -value),
    float: lambda value: (-value,),
    complex: lambda value: (-value, complex(-value.real, value.imag), value.conjugate()),
}

# The strategies given to `register`, by type.
registered: Final[dict[Any, SearchStrategy[Any]]] = {}


class NotDrawable(Exception):
    """There is no known way to draw values of a type; the property is skipped."""


def equal_in_python(value: Any) -> list[Any]:
    """Return the other keys that Python considers equal to a key."""
    return [
        other
        for other in _CONFUSABLE
        if other is not value and isinstance(other == value, bool) and other == value
    ]


@functools.lru_cache(256)
def arrays(name: str, sizes: tuple[int, ...]) -> SearchStrategy[np.ndarray[Any, Any]]:
    """Return a strategy for arrays of a few repeated elements: drawing each of them takes time."""
    dtype = jnp.dtype(name)
    choices: tuple[Any, ...] = _REALS if jnp.issubdtype(dtype, np.inexact) else (0, 1)
    patterns = strategies.lists(strategies.sampled_from(choices), min_size=1, max_size=3)
    return patterns.map(lambda pattern: np.resize(np.array(pattern, dtype), sizes))


def strategy_of(kind: Any, *, is_static: bool) -> SearchStrategy[Any] | None:
    """Return a strategy for a Python type; None if generated classes accept any value.

    Raises:
        NotDrawable: there is none
    """
    known = {**(STATIC if is_static else DYNAMIC), **registered}
    if kind in known:
        return known[kind]
    if kind is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return None
    # Most values that Hypothesis considers `Hashable`, for example, cannot be in a key.
    keys = [v for v in _CONFUSABLE if isinstance(v, kind)] if inspect.isabstract(kind) else []
    if keys and is_static:
        return strategies.sampled_from(keys)
    strategy: SearchStrategy[Any] = strategies.from_type(kind)
    try:
        strategy.validate()
    except Exception as error:  # of foreign annotations too
        raise not_drawable(kind, str(error)) from error
    return strategy


def not_drawable(kind: Any, reason: str) -> NotDrawable:
    """Return the error for a type."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    advice = f"call `codegen.testing.register({kind.__qualname__}, strategy)` before `properties`"
    return NotDrawable(f"a `{name}` cannot be drawn ({reason}): {advice}")


def copied(value: Any) -> Any:
    """Return an equal value, as a different object wherever there can be two."""
    try:
        return pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled here
    except Exception:  # noqa: BLE001 - such a value is its own copy
        return value
