"""A field that is called like a dimension and is not its size.

n: dynamic[int]    beside    x: dynamic[f32[n]]    ->    SIZE_NOT_STATIC
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.linted.linting import Linting
from codegen.program.names import absolute_module
from codegen.program.nodes import Field, Parameter
from codegen.program.types import is_int
from codegen.source import Source, Span


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each field with a dimension's name that is no `static[int]`; integers among arguments."""
    for module in linting.program.modules:
        dims = _dims(linting, module.name)
        for node in module.classes:
            for field in node.own_fields:
                if field.name in dims and not (field.role == "static" and is_int(field.type)):
                    yield _found(linting, node.source, field, dims[field.name], "field")
        for function in module.functions:
            for parameter in function.parameters:
                if (
                    parameter.name in dims
                    and parameter.role == "dynamic"
                    and is_int(parameter.type)
                ):
                    place = dims[parameter.name]
                    yield _found(linting, module.source, parameter, place, "parameter")


def _dims(linting: Linting, module: str) -> dict[str, Related]:
    """The dimensions that a module declares or imports, each with its declaration."""
    found: dict[str, Related] = {}
    written = linting.modules[module]
    for dim in written.decl.dims:
        found[dim.name] = _declared(written.source, dim.span)
    for imported in written.decl.imports:
        home = absolute_module(module, imported.level, imported.module)
        if not imported.level or home not in linting.modules:
            continue
        for dim in linting.modules[home].decl.dims:
            if dim.name == imported.attribute:
                found[imported.name] = _declared(linting.modules[home].source, dim.span)
    return found


def _declared(source: Source, span: Span) -> Related:
    return Related(source, span, "the dimension")


def _found(
    linting: Linting, source: Source, declared: Field | Parameter, dim: Related, what: str
) -> Diagnostic:
    return linting.warn(
        Code.SIZE_NOT_STATIC,
        source,
        declared.span if what == "field" else declared.role_span,
        f"the {what} `{declared.name}` is called like a dimension, and is not its size",
        label="a size is known before tracing" if is_int(declared.type) else "no `int`",
        advice=f"write `{declared.name}: static[int]` for the size, or rename the {what}",
        related=(dim,),
    )
