"""Types made from other types.

substituted(f32[n_in, n_out], {"n_in": pixels, "n_out": Size(10)}, {})    ->    f32[pixels, 10]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from codegen.program import types
from codegen.program.types import Dim, Type
from codegen.source import Span


def rebuilt(type: Type, change: Callable[[Type], Type]) -> Type:
    """A type with everything directly inside it changed."""
    match type:
        case types.Sequence():
            return replace(type, element=change(type.element))
        case types.FixedTuple():
            return replace(type, elements=tuple(map(change, type.elements)))
        case types.Mapping():
            return replace(type, key=change(type.key), value=change(type.value))
        case types.Union():
            return union(tuple(map(change, type.members)), type.span)
        case types.Callable():
            parameters = None if type.parameters is None else tuple(map(change, type.parameters))
            return replace(type, parameters=parameters, result=change(type.result))
        case types.Identity():
            return replace(type, type=change(type.type))
        case types.ClassType() | types.External():
            return replace(type, arguments=tuple(map(change, type.arguments)))
        case _:
            return type


def union(members: tuple[Type, ...], span: Span) -> Type:
    """A union, flat and without repeats; of one member, that member."""
    flat: dict[Type, Type] = {}
    for member in members:
        for one in member.members if isinstance(member, types.Union) else (member,):
            flat.setdefault(one, one)
    return next(iter(flat)) if len(flat) == 1 else types.Union(tuple(flat), span)


def placed(type: Type, span: Span) -> Type:
    """A type as if all of it were written at one place: that of an alias's name, say."""
    moved = rebuilt(type, lambda inner: placed(inner, span))
    return replace(moved, span=span, alias=type.alias)


def substituted(type: Type, dims: Mapping[str, Dim], arguments: Mapping[str, Type]) -> Type:
    """A type of a class in the terms of its holder."""
    match type:
        case types.TypeParameter():
            return arguments.get(type.name, type)
        case types.Array():
            return replace(type, shape=tuple(_dim(dim, dims) for dim in type.shape))
        case types.ClassType():
            known = tuple(_dim(dim, dims) for dim in type.dims)
            stacked = tuple(_dim(dim, dims) for dim in type.stacked)
            type = replace(type, dims=known, stacked=stacked)
        case types.Sequence(size=size) if size is not None:
            type = replace(type, size=_dim(size, dims))
        case _:
            pass
    return rebuilt(type, lambda inner: substituted(inner, dims, arguments))


def _dim(dim: Dim, dims: Mapping[str, Dim]) -> Dim:
    match dim:
        case types.DimName():
            return dims.get(dim.name, dim)
        case types.DimSum():
            left, right = _dim(dim.left, dims), _dim(dim.right, dims)
            if any(isinstance(side, types.AnyDim) for side in (left, right)):
                return types.AnyDim()
            return replace(dim, left=left, right=right)
        case _:
            return dim
