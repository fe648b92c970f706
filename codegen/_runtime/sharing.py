# pyright: reportUnknownMemberType=false
"""Declared sharing: one object at several paths, and one set of leaves in the tree.

    share(embed, encoder.embed)     # in the schema; the first path owns

    flatten     (embed, unlink(encoder, "embed"))       # a hole at the borrower's path
    unflatten   encoder = link(encoder, embed, "embed")

So a gradient, an optimiser's moment or a checkpoint has the shared part once, named by its
owner's path, under plain `jax.jit`, `grad` and all the others.
"""

from typing import Any, Final, TypeVar, cast

import jax

T = TypeVar("T")


class Hole:
    """What a borrower leaves in the flattened tree: a node of its own kind, not `None`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "HOLE"

    def __reduce__(self) -> str:
        return "HOLE"


HOLE: Final = Hole()


def _flatten(hole: Hole) -> tuple[tuple[()], None]:
    return (), None


def _unflatten(aux_data: None, children: object) -> Hole:
    return HOLE


jax.tree_util.register_pytree_node(Hole, _flatten, _unflatten)


def drop_holes(donated: list[Any], kept: list[Any]) -> None:
    """Remove the holes that splitting an object with borrowed arrays has appended."""
    for leaves in (donated, kept):
        leaves[:] = [leaf for leaf in leaves if leaf is not HOLE]


def get(value: Any, *path: str) -> Any:
    """Return what lies at a path of attributes; None where the path ends before."""
    for name in path:
        value = getattr(value, name, None)
    return value


def link(value: T, part: Any, *path: str) -> T:
    """Return a copy of an object with a part at a path; the object itself is frozen.

    What is no generated object, as where another tree was put in its place, is returned
    as it is.
    """
    if not path:
        return cast("T", part)
    record = getattr(type(value), "__codegen_record__", None)
    if record is None:
        return value
    name, *rest = path
    inner = getattr(value, name)
    linked = link(inner, part, *rest)
    if linked is inner:
        return value
    copy = object.__new__(type(value))
    for field in (*record.data_fields, *record.meta_fields, "__codegen_key__"):
        object.__setattr__(copy, field, getattr(value, field))
    object.__setattr__(copy, name, linked)
    return copy


def unlink(value: T, *path: str) -> T:
    """Return a copy of an object with a hole at a path."""
    return link(value, HOLE, *path)


def relink(obj: Any, owner: tuple[str, ...], *borrowers: tuple[str, ...]) -> None:
    """Fill the holes of an object that nobody has seen yet."""
    part = get(obj, *owner)
    for field, *below in borrowers:
        object.__setattr__(obj, field, link(getattr(obj, field), part, *below))


def require_shared(
    obj: Any, owner: tuple[str, ...], *borrowers: tuple[str, ...]
) -> None:
    """Refuse an object that has different parts at paths declared as shared.

    Raises:
        ValueError: with both paths
    """
    part = get(obj, *owner)
    for path in borrowers:
        if get(obj, *path) is not part:
            name = type(obj).__qualname__
            raise ValueError(
                f"`{name}.{'.'.join(owner)}` and `{name}.{'.'.join(path)}` are declared "
                "as shared, but were given two different objects: pass the same one to "
                f"both, or use `replace({owner[0]}=...)`, which rebinds every path"
            )
