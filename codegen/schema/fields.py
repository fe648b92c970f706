"""Read fields, with their roles and options, and class constants.

u: donated[f32[nx]] = field(init="zeros")    ->    FieldDecl("u", role="donated", options=(...))
order: ClassVar[int] = 2                     ->    ClassConstant("order", ...)
"""

from __future__ import annotations

import ast
from typing import Final

from codegen.diagnostics import Code
from codegen.schema.names import former_names
from codegen.schema.nodes import ClassConstant, FieldDecl
from codegen.schema.roles import decode_role
from codegen.schema.scope import Scope, listed, short_text
from codegen.schema.stub import Assignment, annotation, head, items, name_of, target

_OPTIONS: Final = ("convert", "default", "factory", "init", "spec", "tag")
_HABITS: Final = {
    "alias": "remove `alias`: the parameter always has the name of the field",
    "converter": "did you mean `convert`?",
    "default_factory": "write `= {}` or `= []`, which create a new value for each object, or "
    '`field(factory="module:function")`',
    "kw_only": "write it as an option of the class: `class Grid(kw_only=True)`",
    "pytree_node": "write the role: `static[...]` or `dynamic[...]`",
    "static": "write the role: `static[...]`",
    "validator": 'give the field a `convert="module:function"` that checks the value',
}


def is_constant(scope: Scope, statement: Assignment) -> bool:
    """Return whether a statement in a class body declares a class constant."""
    type = annotation(statement)
    return type is not None and scope.kind(head(type)) == "classvar"


def decode_constant(scope: Scope, statement: Assignment) -> ClassConstant[ast.expr, ast.expr]:
    """Read `order: ClassVar[int] = 2`."""
    name, type = target(statement), annotation(statement)
    types = items(type)
    if len(types) != 1 or statement.value is None:
        raise scope.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            type or name,
            f"the class constant `{name.id}` needs a type and a value",
            label="expected one type in brackets, and a value after `=`",
            advice=f"write, for example, `{name.id}: ClassVar[int] = 3`",
        )
    span = scope.source.span(name)
    return ClassConstant(name.id, types[0], statement.value, scope.doc(statement), span=span)


def decode_field(scope: Scope, statement: Assignment) -> FieldDecl:
    """Read a field."""
    name, type = target(statement), annotation(statement)
    if type is None:
        raise scope.refused(
            Code.MISSING_ROLE,
            name,
            f"the field `{name.id}` has no role and no type",
            label="expected `static[...]`, `dynamic[...]` or `donated[...]`",
            advice=_annotation_advice(scope, name.id, statement.value),
        )
    default, options = _default_and_options(scope, statement.value)
    role = decode_role(scope, type, f"the field `{name.id}`")
    assert role.role is not None
    return FieldDecl(
        name=name.id,
        role=role.role,
        type=role.type,
        default=default,
        options=options,
        doc=scope.doc(statement),
        was=former_names(scope, statement),
        span=scope.source.span(name),
        role_span=role.span,
    )


def _annotation_advice(scope: Scope, name: str, value: ast.expr | None) -> str:
    """Return the advice for `x = dynamic[f32]`, and for `x = 3`."""
    text = "..." if value is None else short_text(scope, value)
    if isinstance(value, ast.Call) and scope.kind(value.func) in ("Dim", "typevar"):
        return f"move `{name} = {text}` to the module, above the class"
    if value is not None and scope.kind(head(value)) in ("role", "dtype", "kind"):
        return f"write the type after `:`, inside a role: `{name}: dynamic[f32] = 0.0`"
    return (
        f"write a role and a type, such as `{name}: static[T] = {text}`. If `{name}` is a "
        f"constant of the class, write `{name}: ClassVar[T] = {text}`"
    )


def _default_and_options(
    scope: Scope, value: ast.expr | None
) -> tuple[ast.expr | None, tuple[tuple[str, ast.expr], ...]]:
    """Split `= value` or `= field(default=value, ...)` into the default and the options."""
    if not isinstance(value, ast.Call) or not _is_field_call(scope, value.func):
        return value, ()
    text = short_text(scope, value.args[0]) if value.args else ""
    scope.check_no_arguments(value, "field", f"write `field(default={text})`")
    default: ast.expr | None = None
    options: list[tuple[str, ast.expr]] = []
    for keyword in value.keywords:
        if keyword.arg == "default":
            default = keyword.value
        elif keyword.arg in _OPTIONS:
            options.append((keyword.arg, keyword.value))
        else:
            otherwise = f"the options are {listed(_OPTIONS)}"
            scope.unknown_option(keyword, "`field` has", _OPTIONS, otherwise, _HABITS)
    return default, tuple(options)


def _is_field_call(scope: Scope, function: ast.expr) -> bool:
    """Return whether a call is one of `field`, under any local name."""
    if isinstance(function, ast.Attribute) and function.attr == "field":
        _refuse_field(scope, function)
        return True
    word = scope.word(function)
    return name_of(function) == "field" if word is None else "field" in (word.kind, word.name)


def _refuse_field(scope: Scope, function: ast.Attribute) -> None:
    """Report `struct.field` and `eqx.field`. Their options are checked as those of the language's
    `field`.
    """
    if scope.kind(function.value) != "unknown":
        scope.outside_language(
            function,
            f"`{short_text(scope, function)}` is not part of the schema language",
            label="not the `field` of the schema language",
            advice="if the field has only a default, write the default after `=`. For other "
            "options, use the `field` of the schema language: `from codegen.schema import field`",
        )
