"""Resolve the options of fields. Each function raises Refused after a mistake.

field(init=normal(0.02), convert="models:rounded", spec=("rows", None), tag="decay")
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.names import NameTable
from codegen.program.nodes import (
    FactoryCall,
    FunctionPath,
    Initializer,
    SpecEntry,
)
from codegen.program.resolve_values import resolve_call
from codegen.schema.names import PATH_ADVICE, check_mesh_axes, split_path
from codegen.schema.nodes import FieldDecl
from codegen.schema.scope import Refused, listed, short_text
from codegen.schema.stub import elements, literal_value, name_of, string_values
from codegen.schema.vocabulary import INITIALIZERS, INITIALIZERS_CALLED


def resolve_path(names: NameTable, expr: ast.expr) -> FunctionPath:
    """Return the function that `"module:function"` names."""
    place = split_path(expr)
    if place is not None:
        return FunctionPath(*place, span=names.source.span(expr))
    raise names.refused(
        Code.WRONG_PATH,
        expr,
        "this value is not the path of a function",
        label='expected "module:function"',
        advice=PATH_ADVICE,
    )


def resolve_factory(decl: FieldDecl, names: NameTable, expr: ast.expr) -> FactoryCall:
    """Return the factory of a field's value, which is called for each object."""
    if decl.default is not None:
        raise names.refused(
            Code.WRONG_OPTION,
            expr,
            f"the field `{decl.name}` has both a default and a `factory`",
            label="a `factory` replaces the default",
            advice="remove the default, or remove `factory`",
        )
    path = resolve_path(names, expr)
    return FactoryCall(path.module, path.attribute, span=path.span)


def resolve_initializer(names: NameTable, expr: ast.expr) -> Initializer | FunctionPath:
    """Return the initializer that `init=` names."""
    if isinstance(expr, ast.Constant) and isinstance(expr.value, str) and ":" in expr.value:
        return resolve_path(names, expr)
    head = expr.func if isinstance(expr, ast.Call) else expr
    name = _initializer_name(head)
    if name not in INITIALIZERS:
        has_module = isinstance(head, ast.Attribute) and head.attr in INITIALIZERS
        raise names.refused(
            Code.UNKNOWN_INITIALIZER,
            expr if has_module else head,
            f"`{name}` is not an initializer" if name else "this is not an initializer",
            label="expected one of `jax.nn.initializers`",
            advice=did_you_mean(
                name,
                INITIALIZERS,
                'write a name without its module, `init="normal"`, a call without quotes, '
                '`init=normal(0.02)`, or the path of your own function, `init="module:function"`',
            ),
        )
    if not isinstance(expr, ast.Call):
        if name in INITIALIZERS_CALLED:
            raise _refuse_initializer(
                names, expr, f"the initializer `{name}` must be called", _example(name)
            )
        return Initializer(name, span=names.source.span(expr))
    return _initializer_call(names, name, expr)


def _initializer_name(head: ast.expr) -> str:
    """Return the name of an initializer, from a string or a name; empty for anything else."""
    text = literal_value(head)
    return text if isinstance(text, str) else name_of(head)


def _initializer_call(names: NameTable, name: str, call: ast.Call) -> Initializer:
    parameters = INITIALIZERS[name]
    if parameters is None:
        raise _refuse_initializer(
            names, call, f"the initializer `{name}` takes no arguments", f'write `init="{name}"`'
        )
    passed = {*parameters[: len(call.args)], *(keyword.arg for keyword in call.keywords)}
    unknown = next((k for k in call.keywords if k.arg not in parameters), None)
    if unknown is not None:
        raise names.refused(
            Code.UNKNOWN_OPTION,
            names.source.name_span(unknown),
            f"the initializer `{name}` has no parameter `{unknown.arg}`",
            label="unknown parameter",
            advice=did_you_mean(
                unknown.arg or "", parameters, f"the parameters are {listed(parameters)}"
            ),
        )
    missing = [p for p in parameters[: INITIALIZERS_CALLED.get(name, 0)] if p not in passed]
    if missing or len(call.args) > len(parameters):
        fault = f"is called without `{missing[0]}`" if missing else "has too many arguments"
        raise _refuse_initializer(names, call, f"the initializer `{name}` {fault}", _example(name))
    return Initializer(name, *resolve_call(names, call), span=names.source.span(call))


def _example(name: str) -> str:
    parameters = INITIALIZERS[name] or ()
    needed = parameters[: INITIALIZERS_CALLED.get(name, 1)]
    return f"write `init={name}({', '.join(needed)})` with values"


def _refuse_initializer(names: NameTable, expr: ast.expr, message: str, advice: str) -> Refused:
    return names.refused(Code.WRONG_OPTION, expr, message, label="wrong arguments", advice=advice)


def resolve_spec(names: NameTable, expr: ast.expr) -> tuple[SpecEntry, ...]:
    """Return the entries of a PartitionSpec."""
    items = elements(expr)
    entries = tuple(_spec_entry(names, item) for item in items)
    check_mesh_axes(names, "spec", [axis for item in items for axis in elements(item)])
    return entries


def _spec_entry(names: NameTable, item: ast.expr) -> SpecEntry:
    axes = elements(item)
    strings = tuple(string_values(axes))
    if isinstance(item, ast.Constant) and item.value is None:
        return None
    if len(strings) < len(axes):
        raise names.refused(
            Code.WRONG_OPTION,
            item,
            "this is not an entry of a PartitionSpec",
            label="expected a mesh axis, a tuple of them, or `None`",
            advice='write one entry for each axis: `spec=("rows", None)`',
        )
    return strings if isinstance(item, ast.Tuple) else strings[0]


def resolve_tags(names: NameTable, expr: ast.expr) -> tuple[str, ...]:
    """Return the tags of a field."""
    tags: dict[str, None] = {}
    for item in elements(expr):
        tag, text = literal_value(item), short_text(names, item)
        if not isinstance(tag, str):
            advice = "write each tag as a string in quotes, or remove this one"
            raise _refuse_tag(names, item, "a tag must be a string", "not a string", advice)
        if not tag:
            fault = "a tag cannot be empty: the empty string means no tag"
            raise _refuse_tag(
                names, item, fault, "empty", "write a name for the tag, or remove `tag`"
            )
        if tag in tags:
            advice = "remove one of the two"
            raise _refuse_tag(
                names, item, f"the tag `{text}` is given twice", "given again", advice
            )
        tags[tag] = None
    if not tags:
        raise _refuse_tag(names, expr, "`tag` is empty", "no tag", "write a tag, or remove `tag`")
    return tuple(tags)


def _refuse_tag(names: NameTable, expr: ast.expr, message: str, label: str, advice: str) -> Refused:
    return names.refused(Code.WRONG_OPTION, expr, message, label=label, advice=advice)
