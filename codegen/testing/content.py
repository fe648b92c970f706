"""The content of an object, computed from its fields without its generated code.

    content(a) == content(b)        # whether a and b should be equal
    structure(a) == structure(b)    # whether one trace is enough for both

Both are plain tuples: the class, every static value with its type and bits, and for every
array its elements, or only its shape and dtype.
"""

from __future__ import annotations

import cmath
import collections
import dataclasses
import enum
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from codegen.testing.declared import roles_of

_jax: Final[Any] = jax
_tree: Final[Any] = jax.tree


def content(value: object) -> Hashable:
    """Return the whole content of an object."""
    return _traced(value, _elements)


def structure(value: object) -> Hashable:
    """Return the part of an object's content that is in a trace key."""
    return _traced(value, _form)


def static_content(value: Any) -> Hashable:
    """Return a static value, with its type, so that `==` is exact."""
    kind: Any = type(value)
    if kind is float or isinstance(value, np.generic):
        return kind, str(np.asarray(value).dtype), _bits(np.asarray(value))
    if kind is complex:
        return kind, static_content(value.real), static_content(value.imag)
    if isinstance(value, np.ndarray):
        return kind, value.dtype.name, value.shape, value.tobytes()
    if isinstance(value, np.dtype):
        return np.dtype, value.name
    if isinstance(value, enum.Enum):
        return kind, static_content(value.value)
    if isinstance(value, range):
        return kind, value.start, value.stop, value.step
    if isinstance(value, tuple):
        return kind, *map(static_content, value)
    if isinstance(value, frozenset):
        return kind, frozenset(collections.Counter(map(static_content, value)).items())
    if hasattr(kind, "__codegen_tag__"):  # a frozendict
        return kind, tuple(static_content(pair) for pair in value.items())
    if roles_of(value) is not None or dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return kind, tuple(static_content(getattr(value, name)) for name in names)
    return kind, value


def _bits(value: np.ndarray[Any, Any]) -> Hashable:
    # All NaNs of a type are one.
    return "nan" if cmath.isnan(complex(value)) else value.tobytes()


def _traced(value: Any, leaf: Callable[[Any], Hashable]) -> Hashable:
    kind: Any = type(value)
    roles = roles_of(value)
    if roles is not None:
        return kind, *(
            static_content(getattr(value, name))
            if role == "static"
            else _traced(getattr(value, name), leaf)
            for name, role in roles.items()
        )
    if value is None:
        return None
    if kind is tuple or kind is list:
        return kind, *(_traced(item, leaf) for item in value)
    if kind is dict:
        return kind, *((key, _traced(value[key], leaf)) for key in sorted(value))
    leaves, treedef = _tree.flatten(value, is_leaf=_is_generated)
    if len(leaves) == 1 and leaves[0] is value:
        return leaf(value)
    return treedef, *(_traced(part, leaf) for part in leaves)


def leaves_of(
    value: Any, path: str = "", *, is_donated: bool = True
) -> Iterator[tuple[str, Any, bool]]:
    """Yield each array of a value, its path, and whether it is donated along the whole path.

    A shared part is only at the path of its owner.
    """
    roles = roles_of(value)

    def is_child(part: object) -> bool:
        return roles_of(part) is not None if roles is None else part is not value

    located = _jax.tree_util.tree_leaves_with_path(value, is_leaf=is_child)
    if len(located) == 1 and located[0][1] is value:
        yield path, value, is_donated
        return
    donated = [role == "donated" for role in (roles or {}).values() if role != "static"]
    for (steps, part), one in zip(located, donated or [True] * len(located), strict=True):
        name = path + jax.tree_util.keystr(steps)
        yield from leaves_of(part, name, is_donated=is_donated and one)


def is_key(leaf: Any) -> bool:
    """Return whether a leaf is an array of random keys."""
    dtype = getattr(leaf, "dtype", None)
    return dtype is not None and jnp.issubdtype(dtype, jax.dtypes.prng_key)


def _is_generated(value: object) -> bool:
    return roles_of(value) is not None


def _form(leaf: Any) -> Hashable:
    """Return the facts about a leaf on which a trace depends."""
    if isinstance(leaf, jax.Ref):
        return "ref", _form(leaf[...])
    if is_key(leaf):
        return str(leaf.dtype), leaf.shape
    dtype = np.dtype(jax.dtypes.canonicalize_dtype(jnp.result_type(leaf)))
    return dtype.name, np.shape(leaf), isinstance(leaf, int | float | complex)


def _elements(leaf: Any) -> Hashable:
    """Return a leaf's elements; as `==` does, with one zero and one NaN."""
    if isinstance(leaf, jax.Ref):
        return "ref", _elements(leaf[...])
    if is_key(leaf):
        return _form(leaf), np.asarray(jax.random.key_data(leaf)).tobytes()
    array = np.asarray(leaf)
    numbers = array.astype(np.complex128)
    # As bytes, since an array may have a million elements. The addition merges both zeros.
    elements = (np.where(np.isnan(numbers), np.nan, numbers) + 0).tobytes()
    if isinstance(leaf, bool | int | float | complex):
        return type(leaf), elements
    return array.dtype.name, array.shape, elements
