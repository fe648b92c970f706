"""Put what a class gives to its base's parameters in their place.

class Box(Generic[T]): content: dynamic[T]
class Named(Box[f32]): ...                    ->    `content` of `Named` is an f32
class Linear(dims=(n_in, n_out)): w: donated[f32[n_in, n_out]]
class Head(Linear[pixels, 10]): ...           ->    `w` of `Head` is an f32[pixels, 10]
"""

from __future__ import annotations

from dataclasses import replace

from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.rewrite import substituted
from codegen.program.types import Dim, Type


def inherited_fields(base: types.ClassType | None, parent: Class | None) -> tuple[Field, ...]:
    """Return the fields of a base, as the class that derives from it has them."""
    if base is None or parent is None:
        return ()
    dims, arguments = dims_of(base, parent), _arguments(base, parent)
    if not dims and not arguments:
        return parent.fields
    return tuple(replace(f, type=substituted(f.type, dims, arguments)) for f in parent.fields)


def base_of(base: types.ClassType, parent: Class) -> types.ClassType | None:
    """Return the base of a base, as the class that derives from both sees it."""
    if parent.base is None:
        return None
    bound = substituted(parent.base, dims_of(base, parent), _arguments(base, parent))
    assert isinstance(bound, types.ClassType)
    return bound


def dims_of(type: types.ClassType, node: Class) -> dict[str, Dim]:
    """Return what a type says of the dimension parameters of its class; nothing without brackets."""
    return dict(zip(node.dims, type.dims, strict=False))


def inherited_dims(
    base: types.ClassType | None, parent: Class | None, own: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the parameters that a base without brackets leaves to the class that derives from it."""
    if base is None or parent is None:
        return ()
    return tuple(name for name in parent.dims[len(base.dims) :] if name not in own)


def _arguments(base: types.ClassType, parent: Class) -> dict[str, Type]:
    # Without brackets a parameter is anything. Too many were reported.
    missing = len(parent.type_parameters) - len(base.arguments)
    given = (*base.arguments, *[types.Anything()] * missing)
    return dict(zip(parent.type_parameters, given, strict=False))
