"""Substitute types and dimensions for parameters.

substitute(f32[n_in, n_out], {"n_in": pixels, "n_out": Size(10)}, {})    ->    f32[pixels, 10]

class Box(Generic[T]): content: dynamic[T]
class Named(Box[f32]): ...                    ->    `content` of `Named` is an f32
class Linear(dims=(n_in, n_out)): w: donated[f32[n_in, n_out]]
class Head(Linear[pixels, 10]): ...           ->    `w` of `Head` is an f32[pixels, 10]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.text import dim_text
from codegen.program.types import Dim, Ref, Type
from codegen.source import Span


def map_children(type: Type, change: Callable[[Type], Type]) -> Type:
    """Return a type with each of its direct parts changed."""
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
    """Return a union, flat and without repeats; of one member, that member."""
    flat: dict[Type, Type] = {}
    for member in members:
        for one in member.members if isinstance(member, types.Union) else (member,):
            flat.setdefault(one, one)
    return next(iter(flat)) if len(flat) == 1 else types.Union(tuple(flat), span=span)


def with_span(type: Type, span: Span) -> Type:
    """Return a type with one source position for all of it: that of an alias's name,
    for example.
    """
    moved = map_children(type, lambda inner: with_span(inner, span))
    return replace(moved, span=span, alias=type.alias)


def substitute(type: Type, dims: Mapping[str, Dim], arguments: Mapping[str, Type]) -> Type:
    """Substitute the parameters of a class in a type."""
    match type:
        case types.TypeParameter():
            return arguments.get(type.name, type)
        case types.Array():
            return replace(type, shape=tuple(_substitute_dim(dim, dims) for dim in type.shape))
        case types.ClassType():
            known = tuple(_substitute_dim(dim, dims) for dim in type.dims)
            stacked = tuple(_substitute_dim(dim, dims) for dim in type.stacked)
            type = replace(type, dims=known, stacked=stacked)
        case types.Sequence(size=size) if size is not None:
            type = replace(type, size=_substitute_dim(size, dims))
        case _:
            pass
    return map_children(type, lambda inner: substitute(inner, dims, arguments))


def _substitute_dim(dim: Dim, dims: Mapping[str, Dim]) -> Dim:
    match dim:
        case types.DimName():
            return dims.get(dim.name, dim)
        case types.DimSum():
            left, right = _substitute_dim(dim.left, dims), _substitute_dim(dim.right, dims)
            if any(isinstance(side, types.AnyDim) for side in (left, right)):
                return types.AnyDim()
            return replace(dim, left=left, right=right)
        case _:
            return dim


def sort_operands(dim: Dim, change: Callable[[Dim], Dim]) -> Dim:
    """Change every part of a dimension, and sort the operands of sums and products."""
    match dim:
        case types.DimSum(operator="+" | "*" as operator):
            # `n + 1` equals `1 + n`: the order of operands does not change a sum.
            return _balanced_tree(
                operator, sorted(map(change, _operands(dim, operator)), key=dim_text)
            )
        case types.DimSum():
            return replace(dim, left=change(dim.left), right=change(dim.right))
        case _:
            return dim


def _balanced_tree(operator: Literal["+", "*"], operands: Sequence[Dim]) -> Dim:
    """Return one tree of operands, always the same for the same operands; a flat one would be
    deeper than Python's stack.
    """
    if len(operands) == 1:
        return operands[0]
    middle = len(operands) // 2
    left, right = (
        _balanced_tree(operator, operands[:middle]),
        _balanced_tree(operator, operands[middle:]),
    )
    return types.DimSum(operator, left, right)


def _operands(dim: Dim, operator: str) -> tuple[Dim, ...]:
    """Return the operands of a sum or a product, however it is bracketed."""
    if isinstance(dim, types.DimSum) and dim.operator == operator:
        return (*_operands(dim.left, operator), *_operands(dim.right, operator))
    return (dim,)


def inherited_fields(base: types.ClassType | None, parent: Class | None) -> tuple[Field, ...]:
    """Return the fields of a base, as the class that derives from it has them."""
    if base is None or parent is None:
        return ()
    dims, arguments = dims_of(base, parent), arguments_of(base, parent)
    if not dims and not arguments:
        return parent.fields
    return tuple(replace(f, type=substitute(f.type, dims, arguments)) for f in parent.fields)


def base_of(base: types.ClassType, parent: Class) -> types.ClassType | None:
    """Return the base of a base, in the parameters of the class that derives from both."""
    if parent.base is None:
        return None
    bound = substitute(parent.base, dims_of(base, parent), arguments_of(base, parent))
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
