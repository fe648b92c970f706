# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Bring what is assigned to a draft's field to what the field holds.

    draft.t = 1         # a 0-d array of float32, as the constructor makes it
    draft.t = x         # TypeError where x is of another dtype

The constructor takes arrays of any dtype, for `check()` to judge. A draft does not: what
it holds goes round in loops, where another dtype is an error far from its cause. No
value is weakly typed, so none causes a second trace.
"""

import dataclasses
import functools
import importlib
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ..classes.arrays import (
    CONVERTED,
    Convert,
    as_array,
    as_part,
    as_scalar,
    strengthened,
)
from ..keys.messages import Owner, a_or_an, array_text, mistyped
from ..keys.names import KINDS, has_dtype
from .state import is_draft, object_of

_DTYPES: Final[dict[type[Any], Any]] = {
    bool: jnp.bool_,
    int: jnp.integer,
    float: jnp.floating,
    complex: jnp.complexfloating,
}


@functools.cache
def draft_array(declared: str) -> Convert:
    """Convert to an array of a dtype or of a kind; refuse another dtype."""
    return lambda value, owner, path: as_strong_array(value, declared, owner, path)


def as_strong_array(value: Any, declared: str, owner: Owner, path: str) -> Any:
    """Turn a value into an array whose dtype is as declared and not weak."""
    if type(value) in CONVERTED:
        return as_array(value, declared, owner, path)
    dtype = getattr(value, "dtype", None)
    if dtype is None or not has_dtype(dtype, declared):
        remedy = ""
        if declared == "key":
            remedy = "make one by `jax.random.key`"
            if dtype == np.uint32:
                remedy += ", or `jax.random.wrap_key_data(...)` of it"
        elif dtype is not None and declared not in KINDS:
            remedy = f'convert it, as by `.astype("{declared}")`'
        raise mistyped(value, owner, path, array_text(declared), remedy)
    if isinstance(value, np.ndarray | np.generic):
        return jnp.asarray(value)
    return strengthened(value)


@functools.cache
def draft_scalar(kind: type[Any]) -> Convert:
    """Convert to a number of a type, or a 0-d array of it; refuse another dtype."""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        scalar = as_scalar(value, kind, owner, path)
        dtype = getattr(scalar, "dtype", None)
        if dtype is not None and not jnp.issubdtype(dtype, _DTYPES[kind]):
            wanted = f"{a_or_an(kind.__name__)} or a 0-d array of that kind"
            remedy = f"convert it, as by `.astype({kind.__name__})`"
            raise mistyped(value, owner, path, wanted, remedy)
        return scalar

    return convert


@dataclasses.dataclass(frozen=True, slots=True)
class Later:
    """A class that does not exist yet when the module that needs it is imported."""

    name: str
    module: str
    package: str | None = None


Kind: TypeAlias = type[Any] | Later


def draft_part(kind: Kind) -> Convert:
    """Convert an object of a generated class, or its draft."""

    def convert(value: Any, owner: Owner, path: str) -> Any:
        cls: Any = kind
        if isinstance(kind, Later):
            module = importlib.import_module(kind.module, kind.package)
            cls = getattr(module, kind.name)
        held = object_of(value) if is_draft(value) else value
        return as_part(held, cls, owner, path)

    return convert


def without_drafts(value: Any, owner: Owner, path: str) -> Any:
    """Put the object of each draft, as it is now, in its place in a value of any kind."""
    leaves, treedef = jax.tree_util.tree_flatten(value, is_leaf=is_draft)
    if not any(map(is_draft, leaves)):
        return value
    made = [object_of(leaf) if is_draft(leaf) else leaf for leaf in leaves]
    return jax.tree_util.tree_unflatten(treedef, made)
