"""Put the types that a class gives to its base's parameters in their place.

class Box(Generic[T]): content: dynamic[T]
class Named(Box[f32]): ...                    ->    `content` of `Named` is an f32
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.types import Type


def inherited_fields(base: types.ClassType | None, parent: Class | None) -> tuple[Field, ...]:
    """Return the fields of a base, as the class that derives from it has them."""
    if base is None or parent is None:
        return ()
    arguments = _arguments(base, parent)
    if not arguments:
        return parent.fields
    return tuple(replace(f, type=bind(f.type, arguments)) for f in parent.fields)


def base_of(base: types.ClassType, parent: Class) -> types.ClassType | None:
    """Return the base of a base, as the class that derives from both sees it."""
    if parent.base is None:
        return None
    arguments = _arguments(base, parent)
    return replace(parent.base, arguments=_all(parent.base.arguments, arguments))


def _arguments(base: types.ClassType, parent: Class) -> dict[str, Type]:
    # Without brackets a parameter is anything. Too many were reported.
    missing = len(parent.type_parameters) - len(base.arguments)
    given = (*base.arguments, *[types.Anything()] * missing)
    return dict(zip(parent.type_parameters, given, strict=False))


def bind(type: Type, arguments: Mapping[str, Type]) -> Type:
    """Return a type with each type parameter replaced by what it is."""
    match type:
        case types.TypeParameter():
            return arguments.get(type.name, type)
        case types.Sequence():
            return replace(type, element=bind(type.element, arguments))
        case types.FixedTuple():
            return replace(type, elements=_all(type.elements, arguments))
        case types.Mapping():
            key, value = bind(type.key, arguments), bind(type.value, arguments)
            return replace(type, key=key, value=value)
        case types.Union():
            return replace(type, members=_all(type.members, arguments))
        case types.Callable():
            given = type.parameters
            parameters = None if given is None else _all(given, arguments)
            return replace(type, parameters=parameters, result=bind(type.result, arguments))
        case types.ClassType() | types.External():
            return replace(type, arguments=_all(type.arguments, arguments))
        case _:
            return type


def _all(each: tuple[Type, ...], arguments: Mapping[str, Type]) -> tuple[Type, ...]:
    return tuple(bind(type, arguments) for type in each)
