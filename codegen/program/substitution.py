"""Substitute the parameters of a class: for the fields that it inherits, and for its bases.

class Box(Generic[T]): content: dynamic[T]
class Named(Box[f32]): ...                    ->    `content` of `Named` is an f32
class Linear(dims=(n_in, n_out)): w: donated[f32[n_in, n_out]]
class Head(Linear[pixels, 10]): ...           ->    `w` of `Head` is an f32[pixels, 10]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.types import Dim, Ref, Type


def inherited_fields(base: types.ClassType | None, parent: Class | None) -> tuple[Field, ...]:
    """Return the fields of a base, as the class that derives from it has them."""
    if base is None or parent is None:
        return ()
    dims, arguments = dims_of(base, parent), arguments_of(base, parent)
    if not dims and not arguments:
        return parent.fields
    return tuple(replace(f, type=f.type.substitute(dims, arguments)) for f in parent.fields)


def base_of(base: types.ClassType, parent: Class) -> types.ClassType | None:
    """Return the base of a base, in the parameters of the class that derives from both."""
    if parent.base is None:
        return None
    bound = parent.base.substitute(dims_of(base, parent), arguments_of(base, parent))
    assert isinstance(bound, types.ClassType)
    return bound


def dims_of(type: types.ClassType, node: Class) -> dict[str, Dim]:
    """Return a type's arguments for the dimension parameters of its class; nothing without
    brackets.
    """
    return dict(zip(node.dims, type.dims, strict=False))


def arguments_of(type: types.ClassType, node: Class) -> dict[str, Type]:
    """Return a type's arguments for the type parameters of its class; `Any` for each without
    brackets.
    """
    # Too many arguments are already reported.
    missing = len(node.type_parameters) - len(type.arguments)
    arguments = (*type.arguments, *[types.Anything()] * missing)
    return dict(zip(node.type_parameters, arguments, strict=False))


def bases_of(node: Class, classes: Mapping[Ref, Class]) -> Iterator[tuple[Class, types.ClassType]]:
    """Yield the bases of a class, nearest first, each as a type in the parameters of the class."""
    base = node.base
    while base is not None:
        parent = classes[base.ref]
        yield parent, base
        base = base_of(base, parent)


def inherited_dims(
    base: types.ClassType | None, parent: Class | None, own: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the parameters that a deriving class inherits from a base without brackets."""
    if base is None or parent is None:
        return ()
    return tuple(name for name in parent.dims[len(base.dims) :] if name not in own)
