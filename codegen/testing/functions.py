"""The properties of generated functions, each a function of drawn arguments.

    trace_once(step, arguments, equal_arguments)
    donate(step, arguments)

They run the user's implementation. It may refuse drawn arguments with its own error. That raises
`NotAccepted`, and the example does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp

from codegen.testing.checks import is_generated, is_ref
from codegen.testing.declared import record_of
from codegen.testing.drawing import Scope, value
from codegen.testing.recipes import Leaf, Node, Recipe

_tree: Final[Any] = jax.tree
Arguments: TypeAlias = dict[str, Any]


class NotAccepted(Exception):
    """The implementation raises an error for drawn arguments."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


@contextmanager
def _accepting() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise NotAccepted(error) from error


def is_function(value: object) -> bool:
    """Return whether a value is a generated function."""
    return type(value).__name__ == "Function" and hasattr(value, "eval_shape")


def declared_arguments(function: Any) -> dict[str, Any]:
    """Return the declared types of a function's arguments."""
    known = function._parameters  # noqa: SLF001
    return {name: known.types[name] for name in known.all}


def arguments(function: Any, scope: Scope) -> Recipe:
    """Draw the arguments of a function, by name."""
    parts: dict[Any, Recipe] = {}
    for name, declared in declared_arguments(function).items():
        is_static = name in function._parameters.static  # noqa: SLF001
        if is_static and declared is int:
            # The size of a dimension; otherwise an implementation may loop this many times.
            parts[name] = Leaf(scope.sizes.get(name, scope.integer(0, 3)))
        else:
            parts[name] = value(Scope(scope.draw, scope.sizes, is_static=is_static), declared)
    return Node(dict, parts)


def trace_once(function: Any, pair: tuple[Arguments, Arguments]) -> None:
    """A call with equal arguments, created independently, does not trace again."""
    one, other = pair
    with _accepting():
        function.eval_shape(**one)
    before = function.traces[-1].number if function.traces else 0
    function.eval_shape(**other)
    after = function.traces[-1].number if function.traces else 0
    assert after == before, f"equal arguments were traced again: {function.traces[-1]}"


def donate(function: Any, arguments: Arguments) -> None:
    """A call consumes only the donated fields of donated arguments."""
    inputs = _tree.map(_without_references, arguments)
    donated = function._parameters.donated  # noqa: SLF001
    leaves = [one for name in inputs for one in _leaves(inputs[name], name, name in donated)]
    with _accepting():
        function(**inputs)
    for path, leaf, is_donated in leaves:
        is_gone = bool(getattr(leaf, "is_deleted", bool)())
        assert is_gone is is_donated, (
            f"`{path}` is {'not ' if is_donated else ''}consumed, but it is declared "
            f"{'donated' if is_donated else 'to be kept'}"
        )


def _without_references(leaf: Any) -> Any:
    """Return a JAX array that only the arguments hold; a Ref, or another value, is kept."""
    return jnp.array(leaf) if hasattr(leaf, "dtype") and not is_ref(leaf) else leaf


def _leaves(value: Any, path: str, is_donated: bool) -> Iterator[tuple[str, Any, bool]]:
    """Yield each array of a value, its path, and whether it is donated along the whole path.

    A shared part is only at the path of its owner.
    """
    if not is_generated(value):
        parts = _tree.leaves(value, is_leaf=is_generated)
        if len(parts) == 1 and parts[0] is value:
            yield path, value, is_donated
        else:
            for part in parts:
                yield from _leaves(part, path, is_donated)
        return
    record = record_of(type(value))
    children, _ = record.flatten(value)
    for name, child in zip(record.data_fields, children, strict=True):
        yield from _leaves(child, f"{path}.{name}", is_donated and name in record.donated_fields)


def agree_with_eval_shape(function: Any, arguments: Arguments) -> None:
    """A call returns the structure, shapes and dtypes of `eval_shape`."""
    with _accepting():
        result = function.keep(**arguments)
    shapes = function.eval_shape(**arguments)
    of_call, of_shape = map(_described, (result, shapes))
    assert of_call == of_shape, f"`eval_shape` returns {shapes}, but the call returned {result}"


def _described(value: Any) -> tuple[Any, list[Any]]:
    leaves, treedef = _tree.flatten(value)
    return treedef, [(leaf.shape, leaf.dtype) for leaf in leaves]
