"""Draw values that contain no other values: numbers, texts, arrays, functions.

    array(draw, "float32", ("nx", "ny"))  # a NumPy array; in a static field, a constant
    foreign(draw, Mesh)                   # a value of a type from outside

Values that are easily confused are drawn often: 1, True and 1.0, zeros of both signs, NaNs.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from codegen.testing.drawing import Dim, Draw

# The dtypes with which an array of a kind is drawn.
_KINDS: Final = {
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
_INTEGERS: Final = (0, 1)  # every integer dtype has them
_REALS: Final = (0.0, 1.0, -0.0, 0.5, -2.0, math.inf, math.nan)
# Errors of reading foreign annotations, or of calling the described object.
_UNRESOLVED: Final = (AttributeError, LookupError, NameError, TypeError, ValueError)
_FUNCTIONS: Final = (operator.neg, operator.pos, abs)
# Values of the types that are one word. A function is also a value with an identity.
_WORDS: Final = {"Callable": _FUNCTIONS, "dtype": _DTYPES, "identity": _FUNCTIONS}
_CONFUSABLE: Final = (
    *(None, 0, False, 0.0, -0.0, 0j, complex(-0.0, 0.0), "", b"", ()),
    *(1, True, 1.0, 1 + 0j, "1", b"1", (1,), (True,), range(1), range(0, 2, 5)),
    *(np.int32(1), np.float32(1), np.bool_(True), np.dtype("int32"), int),
    *(math.nan, complex(math.nan, 1.0), frozenset({1}), frozenset({True}), abs),
)

# Hypothesis validates a strategy on its first draw, which takes longer than the draw.
_ANY_INTEGER: Final = strategies.integers()
_TRACED_INTEGER: Final = strategies.integers(-1000, 1000)
_REAL: Final[SearchStrategy[float]] = strategies.sampled_from(_REALS)
_ANY_REAL: Final = _REAL | strategies.floats()
_COMPLEX: Final = strategies.builds(complex, _REAL, _REAL)
# The default, without the seconds that Hypothesis needs to find the characters of UTF-8.
_TEXT: Final = strategies.text(strategies.characters(exclude_categories=["Cs"]), max_size=6)
_BYTES: Final = strategies.binary(max_size=6)
_ANY_KEY: Final = strategies.sampled_from(_CONFUSABLE)

# The strategies given to `register`, by type.
registered: Final[dict[Any, SearchStrategy[Any]]] = {}


class NotDrawable(Exception):
    """There is no known way to draw values of a type; the property is skipped."""


def integer(draw: Draw) -> int:
    """Draw any integer; a traced one is a number of 32 bits."""
    strategy = _ANY_INTEGER if draw.is_static else _TRACED_INTEGER
    return draw.value(strategy, lambda value: (value + 1, -value))


def real(draw: Draw) -> float:
    """Draw any float."""
    return draw.value(_ANY_REAL if draw.is_static else _REAL, lambda value: (-value,))


def complex_number(draw: Draw) -> complex:
    """Draw any complex number."""
    near: Callable[[complex], Sequence[complex]] = lambda value: (  # noqa: E731
        -value,
        complex(-value.real, value.imag),
        value.conjugate(),
    )
    return draw.value(_COMPLEX, near)


def sampled(draw: Draw, choices: Sequence[Any]) -> Any:
    """Draw one of some values."""
    return draw.value(strategies.sampled_from(choices))


# The functions that draw a value of each scalar type of Python.
SCALARS: Final[dict[Any, Callable[[Draw], Any]]] = {
    int: integer,
    float: real,
    complex: complex_number,
    bool: lambda draw: sampled(draw, (False, True)),
    str: lambda draw: draw.value(_TEXT),
    bytes: lambda draw: draw.value(_BYTES),
}


def word(draw: Draw, name: str) -> Any:
    """Draw a value of a type that is one word."""
    return sampled(draw, _WORDS[name])


def anything(draw: Draw) -> Any:
    """Draw a value that may be a key; in a traced place, a tree of arrays."""
    if draw.is_static:
        return draw.value(_ANY_KEY, _equal_in_python)
    match draw.integer(0, 3):
        case 0:
            return array(draw, "float32", ())
        case 1:
            return None
        case 2:
            return (array(draw, "float32", ()), [array(draw, "float32", ())])
        case _:
            return {"b": array(draw, "float32", ()), "a": array(draw, "int32", (2,))}


def _equal_in_python(value: Any) -> list[Any]:
    """Return the values that Python considers equal to a value."""
    return [
        other
        for other in _CONFUSABLE
        if other is not value and isinstance(other == value, bool) and other == value
    ]


def array(draw: Draw, declared: str, dims: Sequence[Dim]) -> Any:
    """Draw an array of a dtype, or of any dtype of a kind; a key is one of JAX."""
    sizes = draw.shape(dims)
    if declared == "key":
        key = jax.random.key(draw.integer(0, 3))
        return jax.random.split(key, sizes) if sizes else key
    names = _KINDS.get(declared, (declared,))
    chosen = jnp.dtype(names[draw.integer(0, len(names) - 1)])
    # A few repeated elements: drawing each of them takes time.
    pattern = draw.value(_elements(chosen))
    return np.resize(np.array(pattern, chosen), sizes)


@functools.cache
def _elements(dtype: np.dtype[Any]) -> SearchStrategy[list[Any]]:
    choices: tuple[Any, ...] = _INTEGERS
    if jnp.issubdtype(dtype, np.inexact):
        choices = _REALS
    elif dtype == np.bool_:
        choices = (False, True)
    return strategies.lists(strategies.sampled_from(choices), min_size=1, max_size=3)


def foreign(draw: Draw, kind: Any) -> Any:
    """Draw a value of a foreign Python type: by its registered strategy, or as Hypothesis does.

    Raises:
        NotDrawable: neither is possible
    """
    if kind in registered:
        return draw.value(registered[kind])
    # Generated classes also accept any value where the type is not a class.
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return anything(draw)
    # Most values that Hypothesis considers `Hashable`, for example, cannot be in a key.
    keys = [v for v in _CONFUSABLE if isinstance(v, kind)] if inspect.isabstract(kind) else []
    if keys and draw.is_static:
        return sampled(draw, keys)
    try:
        return draw.value(strategies.from_type(kind))
    except (InvalidArgument, *_UNRESOLVED) as error:
        name = f"{kind.__module__}.{kind.__qualname__}"
        raise NotDrawable(
            f"Hypothesis cannot draw a `{name}`: call `codegen.testing.register("
            f"{kind.__qualname__}, strategy)` before `properties`"
        ) from error
