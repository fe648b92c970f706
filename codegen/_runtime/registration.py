# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Make generated classes known: to JAX as pytrees, to this package by their record.

    register_dataclass(
        Grid,
        data_fields=[],
        meta_fields=["nx", "ny"],
        flatten=_codegen_flatten_grid,
        unflatten=_codegen_unflatten_grid,
        key=_codegen_key_grid,
    )

The module's own functions are the whole flattening, and its auxiliary data is the key
and nothing else: two classes, or two exact static values, never have equal treedefs.
`jax.tree_util.register_dataclass` alone has treedefs that ignore the class.
"""

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

import jax

from .keys import Key, Table

Children: TypeAlias = tuple[Any, ...]
Split: TypeAlias = Callable[[Any, list[Any], list[Any]], Hashable]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Record:
    """What is known of a generated class; on the class as `__codegen_record__`.

    A Python subclass inherits it, so `record.cls` tells whether it is the class's own.
    """

    cls: type[Any]
    data_fields: tuple[str, ...]
    meta_fields: tuple[str, ...]
    flatten: Callable[[Any], tuple[Children, Key]]
    unflatten: Callable[[Key, Any], Any]
    # From the class and its static values to its key, through every check.
    key: Callable[..., Key]
    # From an object and the lists of donated and kept leaves to its structure.
    split: Split
    # The interned keys of the class, weakly.
    table: Table = dataclasses.field(default_factory=dict, repr=False)


def register_dataclass(
    cls: type[Any],
    *,
    data_fields: Sequence[str],
    meta_fields: Sequence[str],
    flatten: Callable[[Any], tuple[Children, Key]],
    unflatten: Callable[[Key, Any], Any],
    key: Callable[..., Key],
    split: Split | None = None,
) -> None:
    """Register a class as a pytree of its data fields, with its key as the rest.

    Args:
        cls: a class with `__codegen_key__` on its objects
        data_fields: the names of the children, in the order of `flatten`
        meta_fields: the names of the static fields, in the order of `key`
        flatten: from an object to its children and key
        unflatten: from a key and children to an object, unchecked
        key: from the class and static values to the key, through every check
        split: appends the leaves of an object to the lists of donated and of kept
            ones, and returns its structure; not needed where there are no leaves
    """
    names = tuple(map(jax.tree_util.GetAttrKey, data_fields))

    def flatten_with_keys(value: Any) -> tuple[tuple[tuple[Any, Any], ...], Key]:
        children, key = flatten(value)
        return tuple(zip(names, children, strict=True)), key

    jax.tree_util.register_pytree_with_keys(cls, flatten_with_keys, unflatten, flatten)
    cls.__codegen_record__ = Record(
        cls,
        tuple(data_fields),
        tuple(meta_fields),
        flatten,
        unflatten,
        key,
        split or _split_static,
    )


def adopt_dataclass(
    cls: type[Any],
    *,
    data_fields: Sequence[str],
    meta_fields: Sequence[str],
    flatten: Callable[[Any], tuple[Children, Key]],
    unflatten: Callable[[Key, Any], Any],
    key: Callable[..., Key],
    split: Split | None = None,
) -> None:
    """Record a class that `jax.tree_util.register_dataclass` has registered.

    Its last dataclass field is its key, JAX's only metadata field. Afterwards it
    is none, so that `fields`, `asdict`, `replace` and `match` see declared ones alone.
    """
    del cls.__dataclass_fields__["__codegen_key__"]
    names = tuple(name for name in cls.__match_args__ if name != "__codegen_key__")
    type.__setattr__(cls, "__match_args__", names)
    cls.__codegen_record__ = Record(
        cls,
        tuple(data_fields),
        tuple(meta_fields),
        flatten,
        unflatten,
        key,
        split or _split_static,
    )


def _split_static(value: Any, donated: list[Any], kept: list[Any]) -> Hashable:
    key: Key = value.__codegen_key__
    return key
