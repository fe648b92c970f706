"""The properties of generated functions, each a function of drawn arguments.

    trace_once(step, arguments, equal_arguments)
    donate(step, arguments)

They run the user's implementation, with arguments that it accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
from jax.tree_util import keystr

from codegen.testing.checks import part_at
from codegen.testing.declared import record_of
from codegen.testing.drawing import Scope, value

_jax: Final[Any] = jax
_tree: Final[Any] = jax.tree
Arguments: TypeAlias = dict[str, Any]


def is_function(value: object) -> bool:
    """Return whether a value is a generated function."""
    return type(value).__name__ == "Function" and hasattr(value, "eval_shape")


def arguments(function: Any, scope: Scope) -> Arguments:
    """Draw the arguments of a function, by name."""
    known, drawn = function._parameters, dict[str, Any]()  # noqa: SLF001
    for name in known.all:
        declared, is_static = known.types[name], name in known.static
        # An implementation may loop as often as an integer says, so it is small, like a size.
        is_size = is_static and declared is int
        inner = replace(scope, is_static=is_static)
        drawn[name] = scope.size(name) if is_size else value(inner, declared)
    return drawn


def trace_once(function: Any, one: Arguments, other: Arguments) -> None:
    """A call with equal arguments, created independently, does not trace again."""
    function.eval_shape(**one)
    before = function.traces[-1:]
    function.eval_shape(**other)
    after = function.traces[-1:]
    assert after == before, f"equal arguments were traced again: {after}"


def donate(function: Any, arguments: Arguments) -> None:
    """A call consumes only the donated fields of donated arguments."""
    inputs = _tree.map(_without_references, arguments)
    donated = function._parameters.donated  # noqa: SLF001
    leaves = [
        (name + keystr(path), leaf, name in donated and _is_donated(one, path))
        for name, one in inputs.items()
        for path, leaf in _jax.tree_util.tree_leaves_with_path(one)
    ]
    function(**inputs)
    for path, leaf, is_donated in leaves:
        is_gone = bool(getattr(leaf, "is_deleted", bool)())
        assert is_gone is is_donated, (
            f"`{path}` is {'not ' if is_donated else ''}consumed, but it is declared "
            f"{'donated' if is_donated else 'to be kept'}"
        )


def _without_references(leaf: Any) -> Any:
    """Return a JAX array that only the arguments hold; a Ref, or another value, is kept."""
    return jnp.array(leaf) if hasattr(leaf, "dtype") and not isinstance(leaf, jax.Ref) else leaf


def _is_donated(value: Any, path: Sequence[Any]) -> bool:
    """Return whether each object along a path declares the next field as donated."""
    for step in path:
        record = record_of(type(value))
        if record is not None and step.name not in record.donated_fields:
            return False
        value = part_at(value, step)
    return True


def agree_with_eval_shape(function: Any, arguments: Arguments) -> None:
    """A call returns the structure, shapes and dtypes of `eval_shape`."""
    result, shapes = function.keep(**arguments), function.eval_shape(**arguments)
    of_call, of_shape = map(_described, (result, shapes))
    assert of_call == of_shape, f"`eval_shape` returns {shapes}, but the call returned {result}"


def _described(value: Any) -> tuple[Any, list[Any]]:
    leaves, treedef = _tree.flatten(value)
    return treedef, [(leaf.shape, leaf.dtype) for leaf in leaves]
