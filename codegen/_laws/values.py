# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
"""Recipes of the types that hold no others: numbers, texts, arrays, functions.

    array("float32", "nx ny")   # a NumPy array; in a static field, a constant
    real                        # a float: -0.0, infinities and NaN are among them
    foreign(Mesh)               # what Hypothesis makes of a type from outside

What may be confused is drawn often: 1, True and 1.0, zeros of both signs, NaNs.
"""

from __future__ import annotations

import enum
import inspect
import math
import operator
import unittest
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from .draw import Draw, Recipe, Simple

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)

# What an array of any dtype of a kind is drawn of.
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
_DTYPES: Final = ("float32", "bfloat16", "float16", "int32", "int8", "bool")
_INTEGERS: Final = (0, 1)  # what every integer dtype holds
_REALS: Final = (0.0, 1.0, -0.0, 0.5, -2.0, math.inf, math.nan)
# What reading somebody's annotations, or calling what they describe, may raise.
_UNRESOLVED: Final = (AttributeError, LookupError, NameError, TypeError, ValueError)
_FUNCTIONS: Final = (operator.neg, operator.pos, abs)
_CONFUSABLE: Final = (
    *(None, 0, False, 0.0, -0.0, 0j, complex(-0.0, 0.0), "", b"", ()),
    *(1, True, 1.0, 1 + 0j, "1", b"1", (1,), (True,), range(1), range(0, 2, 5)),
    *(np.int32(1), np.float32(1), np.bool_(True), np.dtype("int32"), int),
    *(math.nan, complex(math.nan, 1.0), frozenset({1}), frozenset({True}), abs),
)


class Undrawable(unittest.SkipTest):
    """Nobody has said how values of a type are drawn; the law is skipped."""


def integer_values(draw: Draw) -> int:
    """Draw any integer; a traced one is a number of 32 bits."""

    def strategy() -> SearchStrategy[int]:
        from hypothesis import strategies

        if draw.is_static:
            return strategies.integers()
        return strategies.integers(-1000, 1000)

    def near(value: int) -> tuple[int, ...]:
        return value + 1, -value

    return draw.value(strategy, near)


def real_values(draw: Draw) -> float:
    """Draw any float."""

    def strategy() -> SearchStrategy[float]:
        from hypothesis import strategies

        some = strategies.sampled_from(_REALS)
        return some | strategies.floats() if draw.is_static else some

    def near(value: float) -> tuple[float, ...]:
        return (-value,)

    return draw.value(strategy, near)


def number_values(draw: Draw) -> complex:
    """Draw any complex number."""

    def strategy() -> SearchStrategy[complex]:
        from hypothesis import strategies

        parts = strategies.sampled_from(_REALS)
        return strategies.builds(complex, parts, parts)

    def near(value: complex) -> tuple[complex, ...]:
        return -value, complex(-value.real, value.imag), value.conjugate()

    return draw.value(strategy, near)


def text_values(draw: Draw) -> str:
    """Draw a short text."""

    def strategy() -> SearchStrategy[str]:
        from hypothesis import strategies

        return strategies.text(max_size=6)

    return draw.value(strategy)


def data_values(draw: Draw) -> bytes:
    """Draw a few bytes."""

    def strategy() -> SearchStrategy[bytes]:
        from hypothesis import strategies

        return strategies.binary(max_size=6)

    return draw.value(strategy)


def any_value(draw: Draw) -> Any:
    """Draw what may be a key, or, where it is traced, a tree of arrays."""
    if draw.is_static:
        return draw.value(_confusable, _confused)
    leaf = array("float32", "")
    match draw.integer(0, 3):
        case 0:
            return leaf.draw(draw)
        case 1:
            return None
        case 2:
            return (leaf.draw(draw), [leaf.draw(draw)])
        case _:
            return {"b": leaf.draw(draw), "a": array("int32", "2").draw(draw)}


def _confusable() -> SearchStrategy[Any]:
    from hypothesis import strategies

    return strategies.sampled_from(_CONFUSABLE)


def _confused(value: Any) -> list[Any]:
    """Return what Python calls equal to a value."""
    return [
        other
        for other in _CONFUSABLE
        if other is not value and isinstance(other == value, bool) and other == value
    ]


def _sampled(choices: Any) -> Recipe[Any]:
    def function(draw: Draw) -> Any:
        def strategy() -> SearchStrategy[Any]:
            from hypothesis import strategies

            return strategies.sampled_from(choices)

        return draw.value(strategy)

    return Simple(function)


integer: Final = Simple(integer_values)
real: Final = Simple(real_values)
number: Final = Simple(number_values)
text: Final = Simple(text_values)
data: Final = Simple(data_values)
anything: Final = Simple(any_value)
none: Final[Recipe[None]] = Simple(lambda _: None)
flag: Final[Recipe[bool]] = _sampled((False, True))
function: Final[Recipe[Callable[..., Any]]] = _sampled(_FUNCTIONS)
dtype: Final[Recipe[np.dtype[Any]]] = _sampled(tuple(map(jnp.dtype, _DTYPES)))


def member(kind: type[E]) -> Recipe[E]:
    """Draw a member of an enum; of a flag, any of them together."""
    return _sampled(kind)


def literal(*options: T) -> Recipe[T]:
    """Draw one of some values."""
    return _sampled(options)


def array(declared: str, shape: str = "") -> Recipe[Any]:
    """Draw an array of a dtype, or of any of a kind; a key is one of JAX."""

    def function(draw: Draw) -> Any:
        sizes = draw.shape(shape)
        if declared == "key":
            return _keys(draw, sizes)
        names = _KINDS.get(declared, (declared,))
        chosen = jnp.dtype(names[draw.integer(0, len(names) - 1)])
        # A few elements that repeat: what is drawn for each takes its time.
        pattern = draw.value(lambda: _elements(chosen))
        return np.resize(np.array(pattern, chosen), sizes)

    return Simple(function)


def _elements(dtype: np.dtype[Any]) -> SearchStrategy[list[Any]]:
    from hypothesis import strategies

    choices: tuple[Any, ...] = _INTEGERS
    if jnp.issubdtype(dtype, np.inexact):
        choices = _REALS
    elif dtype == np.bool_:
        choices = (False, True)
    return strategies.lists(strategies.sampled_from(choices), min_size=1, max_size=3)


def _keys(draw: Draw, sizes: tuple[int, ...]) -> Any:
    key = jax.random.key(draw.integer(0, 3))
    return jax.random.split(key, sizes) if sizes else key


def _instances(kind: type[Any]) -> list[Any]:
    return [value for value in _CONFUSABLE if isinstance(value, kind)]


def foreign(kind: Any) -> Recipe[Any]:
    """Draw what Hypothesis knows how to make of a Python type from outside.

    `hypothesis.strategies.register_type_strategy` teaches it more types.
    """
    # The generated code, too, takes anything where the type is no class.
    is_class = isinstance(kind, type) and not getattr(kind, "_is_protocol", False)
    # Most of what Hypothesis knows to be `Hashable`, say, can be no part of a trace key.
    keys = _instances(kind) if is_class and inspect.isabstract(kind) else []

    def function(draw: Draw) -> Any:
        if not is_class:
            return any_value(draw)
        if keys and draw.is_static:
            return _sampled(keys).draw(draw)

        def strategy() -> SearchStrategy[Any]:
            from hypothesis import strategies

            return strategies.from_type(kind)

        from hypothesis.errors import InvalidArgument

        try:
            return draw.value(strategy)
        except (InvalidArgument, *_UNRESOLVED) as error:
            name = f"{kind.__module__}.{kind.__qualname__}"
            raise Undrawable(
                f"Hypothesis cannot draw a `{name}`: say how in conftest.py, by "
                "`hypothesis.strategies.register_type_strategy`"
            ) from error

    return Simple(function)
