"""Resolve what classes and modules hold: fields, constants, functions.

FieldDecl("u", "donated", <Field>)    ->    Field("u", "donated", Array("float32", ...))
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Code
from codegen.program.mutable import default_help, given_as, mutable
from codegen.program.names import Names
from codegen.program.nodes import ClassConstant, Field, Function, Made, Parameter, Value
from codegen.program.resolve_options import (
    resolve_factory,
    resolve_initializer,
    resolve_path,
    resolve_spec,
    resolve_tags,
)
from codegen.program.resolve_types import TypeResolver
from codegen.program.resolve_values import Place, resolve_value
from codegen.program.types import (
    Anything,
    Array,
    Mapping,
    Ref,
    Sequence,
    Type,
    TypeParameter,
    Union,
    optional,
    walk,
)
from codegen.schema.nodes import ClassDecl, FieldDecl, FunctionDecl, ParameterDecl
from codegen.source import NOWHERE


def _default(
    names: Names,
    decl: FieldDecl | ParameterDecl,
    type: Type | None,
) -> Value | None:
    """The value of a default, None where there is none."""
    expr = decl.default
    if expr is None:
        return None
    advice = ""
    if isinstance(expr, ast.List | ast.Dict):
        if made := _made(names, decl, type, expr):
            return made
        is_field = isinstance(decl, FieldDecl)
        advice = default_help(type, decl.role or "", is_field=is_field)
    if not advice:
        place: Place = "static" if decl.role == "static" else ""
        is_initialised = isinstance(decl, FieldDecl) and not place and _is_array(type)
        return resolve_value(names, expr, "array" if is_initialised else place)
    names.scope.add(
        Code.WRONG_DEFAULT,
        expr,
        "this cannot be a default",
        label="not a value of the language",
        advice=advice,
    )
    return None


def _made(
    names: Names, decl: FieldDecl | ParameterDecl, type: Type | None, expr: ast.List | ast.Dict
) -> Made | None:
    """What makes `{}` and `[]` anew for each object; None where they are no default."""
    name = "list" if isinstance(expr, ast.List) else "dict"
    held = expr.elts if isinstance(expr, ast.List) else expr.keys
    if held or type is None or decl.role == "static" or not isinstance(decl, FieldDecl):
        return None
    members = type.members if isinstance(type, Union) else (type,)
    fits = any(
        isinstance(one, Anything | TypeParameter)
        or (isinstance(one, Sequence | Mapping) and name == given_as(one))
        for one in members
    )
    return Made("builtins", name, names.scope.source.span(expr)) if fits else None


def _is_array(type: Type | None) -> bool:
    """Whether `init` may make what a type holds; what is unknown may be an array."""
    return type is None or isinstance(optional(type) or type, Array)


def lower_field(decl: FieldDecl, owner: Ref, resolver: TypeResolver) -> Field | None:
    """Resolve one field with its default and options."""
    names = resolver.names
    type = resolver.resolve(decl.type)
    default = _default(names, decl, type)
    if decl.default is not None and default is None:
        _check_mutable(names, decl, type, f"the field `{decl.name}`")
    options = {option.name: option.value for option in decl.options}
    names_of = ("convert", "factory", "init", "spec", "tag")
    convert, factory, init, spec, tag = map(options.get, names_of)
    if factory is not None:
        default = resolve_factory(names, factory, decl)
    path = resolve_path(names, convert) if convert else None
    initializer = resolve_initializer(names, init) if init else None
    entries = resolve_spec(names, spec) if spec else None
    tags = resolve_tags(names, tag) if tag else ()
    if type is None:
        return None
    return Field(
        name=decl.name,
        role=decl.role,
        type=type,
        default=default,
        convert=path,
        init=initializer,
        spec=entries,
        tags=tags,
        doc=decl.doc,
        owner=owner,
        was=decl.was,
        span=decl.span,
        role_span=decl.role_span,
        spec_span=names.scope.source.span(spec) if spec else NOWHERE,
        tag_span=names.scope.source.span(tag) if tag else NOWHERE,
    )


def _check_mutable(
    names: Names, decl: FieldDecl | ParameterDecl, type: Type | None, what: str
) -> None:
    """Report a mutable type beside a default that is none, and that would hide it."""
    if decl.role != "static" or type is None:
        return
    for part in walk(type):
        if fault := mutable(part, what):
            names.scope.add(
                Code.MUTABLE_TYPE,
                part.span,
                fault.message,
                label=fault.label,
                advice=fault.advice,
            )


def lower_constants(decl: ClassDecl, resolver: TypeResolver) -> tuple[ClassConstant, ...]:
    """Resolve the constants of a class."""
    found: list[ClassConstant] = []
    for constant in decl.constants:
        type = resolver.resolve(constant.type)
        value = resolve_value(resolver.names, constant.value)
        if type is not None and value is not None:
            found.append(ClassConstant(constant.name, type, value, constant.doc, constant.span))
    return tuple(found)


def lower_function(decl: FunctionDecl, resolver: TypeResolver) -> Function | None:
    """Resolve a function or method."""
    parameters = [_parameter(parameter, resolver) for parameter in decl.parameters]
    returns = resolver.resolve(decl.returns)
    found = tuple(parameter for parameter in parameters if parameter is not None)
    if returns is None or len(found) != len(parameters):
        return None
    return Function(decl.name, decl.impl, found, returns, decl.kind, decl.doc, decl.was, decl.span)


def _parameter(decl: ParameterDecl, resolver: TypeResolver) -> Parameter | None:
    type = resolver.resolve(decl.type)
    default = _default(resolver.names, decl, type)
    if decl.default is not None and default is None:
        _check_mutable(resolver.names, decl, type, f"the parameter `{decl.name}`")
    if type is None:
        return None
    return Parameter(
        decl.name, decl.role, type, default, decl.keyword_only, decl.span, decl.role_span
    )
