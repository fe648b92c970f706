"""Every place in a program with a role and a type, in one form for the rules.

u: donated[f32[nx]]    ->    TypeUse("donated", <f32[nx]>, "the field `u`", <donated>)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from codegen.program.nodes import Class, Field, Function, Parameter, Program, Value
from codegen.program.types import Type
from codegen.schema.vocabulary import Role
from codegen.source import Span


class TypeUse(Struct, frozen=True):
    """A type with its role, somewhere in the program."""

    role: Role
    type: Type
    description: str  # as diagnostics name it. Example: "the field `u`"
    role_span: Span


class DefaultUse(Struct, frozen=True):
    """A value that must be of a type, somewhere in the program."""

    value: Value
    type: Type
    description: str  # Example: "the default of `dx`"
    role: str = ""  # the word around the type: "dynamic", "ClassVar", nothing in a method
    is_field: bool = False
    is_converted: bool = False  # by a function that may accept other types


def type_uses(program: Program) -> Iterator[TypeUse]:
    """Yield every field and every parameter of a function."""
    for node in program.classes.values():
        yield from map(type_use, node.own_fields)
    for function in program.functions:
        yield from map(type_use, function.parameters)


def type_use(declared: Field | Parameter) -> TypeUse:
    """Return the place of a field or parameter."""
    assert declared.role is not None
    kind = "field" if isinstance(declared, Field) else "parameter"
    what = f"the {kind} `{declared.name}`"
    return TypeUse(declared.role, declared.type, what, declared.role_span)


def result_uses(program: Program) -> Iterator[TypeUse]:
    """Yield the result of every function, which is traced like a dynamic value."""
    for function in program.functions:
        what = f"the result of `{function.name}`"
        yield TypeUse("dynamic", function.returns, what, function.span)


def default_uses(program: Program) -> Iterator[DefaultUse]:
    """Yield every default and every class constant."""
    for node in program.classes.values():
        yield from _class_defaults(node)
    for function in program.functions:
        yield from _function_defaults(function)


def _class_defaults(node: Class) -> Iterator[DefaultUse]:
    for field in node.own_fields:
        if field.default is not None:
            yield DefaultUse(
                field.default,
                field.type,
                f"the default of `{field.name}`",
                field.role,
                is_field=True,
                is_converted=field.convert is not None,
            )
    for constant in node.constants:
        what = f"the value of `{constant.name}`"
        yield DefaultUse(constant.value, constant.type, what, "ClassVar")
    for method in node.methods:
        yield from _function_defaults(method)


def _function_defaults(function: Function) -> Iterator[DefaultUse]:
    for parameter in function.parameters:
        if parameter.default is not None:
            what = f"the default of `{parameter.name}`"
            yield DefaultUse(parameter.default, parameter.type, what, parameter.role or "")
