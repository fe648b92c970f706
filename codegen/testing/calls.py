"""The properties of generated functions, each a function of drawn arguments.

    trace_once(step, arguments, equal_arguments)
    donate(step, arguments)

They run the user's implementation. It may refuse drawn arguments with its own error. That raises
`NotAccepted`, and the example does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final

import jax
import jax.numpy as jnp

from codegen.testing.content import leaves_of, structure
from codegen.testing.strategies import Arguments

_tree: Final[Any] = jax.tree


class NotAccepted(Exception):
    """The implementation raises an error for drawn arguments."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


def is_function(value: object) -> bool:
    """Return whether a value is a generated function."""
    return type(value).__name__ == "Function" and hasattr(value, "eval_shape")


def arguments_of(function: Any) -> Arguments:
    """Return the strategies for a function's arguments."""
    known = function._parameters  # noqa: SLF001
    return Arguments({name: known.types[name] for name in known.all}, known.static)


@contextmanager
def _accepting() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise NotAccepted(error) from error


def trace_once(function: Any, one: SimpleNamespace, other: SimpleNamespace) -> None:
    """A call with equal arguments, created independently, does not trace again."""
    with _accepting():
        function.eval_shape(**vars(one))
    before = function.traces[-1].number if function.traces else 0
    function.eval_shape(**vars(other))
    after = function.traces[-1].number if function.traces else 0
    assert after == before, f"equal arguments were traced again: {function.traces[-1]}"


def donate(function: Any, arguments: SimpleNamespace) -> None:
    """A call consumes only the donated fields of donated arguments."""
    inputs = {name: _arrays(value) for name, value in vars(arguments).items()}
    with _accepting():
        function(**inputs)
    for name, value in inputs.items():
        is_donated = name in function._parameters.donated  # noqa: SLF001
        for path, leaf, donated in leaves_of(value, name, is_donated=is_donated):
            is_gone = bool(getattr(leaf, "is_deleted", bool)())
            assert is_gone is donated, (
                f"`{path}` is {'not ' if donated else ''}consumed, but it is declared "
                f"{'donated' if donated else 'to be kept'}"
            )


def _arrays(value: Any) -> Any:
    """Return an argument whose NumPy arrays are replaced by JAX arrays without other references."""
    return _tree.map(lambda leaf: jnp.array(leaf) if hasattr(leaf, "dtype") else leaf, value)


def agree_with_eval_shape(function: Any, arguments: SimpleNamespace) -> None:
    """A call returns the structure, shapes and dtypes of `eval_shape`."""
    with _accepting():
        result = function.keep(**vars(arguments))
    shapes = function.eval_shape(**vars(arguments))
    actual, expected = structure(result), structure(_tree.map(_zeros, shapes))
    assert actual == expected, f"`eval_shape` returns {shapes}, but the call returned {result}"


def _zeros(shape: Any) -> Any:
    if jnp.issubdtype(shape.dtype, jax.dtypes.prng_key):
        return shape
    return jnp.zeros(shape.shape, shape.dtype)
