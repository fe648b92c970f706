"""Methods and properties: typed delegation to a Python function, imported when it is called.

    @impl("heat_model:energy")        ->    def energy(self) -> Float32[Array, ""]:
    def energy(self) -> f32: ...                from heat_model import energy as impl
                                                return impl(self)
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.program.nodes import Class, Function, Parameter
from codegen.program.types import Type
from codegen.schema.nodes import ImplDecl
from codegen.view.annotations import Reading, annotation
from codegen.view.docs import method_doc
from codegen.view.layout import call, fit, parenthesized, statement
from codegen.view.literals import docstring, expression
from codegen.view.names import Names, local
from codegen.view.nodes import MethodView


def self_name(taken: Iterable[str]) -> str:
    """Return what `self` is called where a parameter may have that name."""
    return local("self", set(taken))


def method(node: Function, owner: Class, names: Names) -> MethodView:
    """Write one method or property."""
    taken = frozenset(p.name for p in node.parameters)
    self = self_name(taken)
    lines = [self]
    for parameter in node.parameters:
        if parameter.keyword_only and "*" not in lines:
            lines.append("*")
        lines.append(parameter_line(parameter, Reading.PLAIN, names, 8))
    tail = result_tail(node.returns, names, 4)
    if node.parameters:
        inner = "".join(f"        {line},\n" for line in lines)
        signature = f"    def {node.name}(\n{inner}    {tail}"
    else:
        signature = f"    def {node.name}({self}{tail}"
    doc = method_doc(node, names.module)
    return MethodView(
        decorators=(f"    @{names.builtin('property')}",) if node.is_property else (),
        signature=signature,
        doc=(docstring(doc, 8),) if doc else (),
        import_=import_line(node.impl, taken | {self}, 8),
        call=call_line(node, taken | {self}, [self], 8),
    )


def parameter_line(parameter: Parameter, reading: Reading, names: Names, indent: int) -> str:
    """Write one parameter with its annotation and default."""
    prefix = f"{parameter.name}: "
    held = annotation(parameter.type, reading, names)
    if parameter.default is None:
        return prefix + fit(held, indent, indent + len(prefix), 1)
    default = fit(expression(parameter.default, names), indent, 0)
    return prefix + fit(held, indent, indent + len(prefix), len(f" = {default},")) + f" = {default}"


def result_tail(type: Type, names: Names, indent: int, reading: Reading = Reading.PLAIN) -> str:
    """Write `) -> Result:`."""
    node = annotation(type, reading, names)
    return f") -> {parenthesized(node, indent, indent + 5, 1)}:"


def import_line(impl: ImplDecl, taken: frozenset[str] | set[str], indent: int) -> str:
    """Write the import of what runs."""
    head = impl.attribute.partition(".")[0]
    return f"{' ' * indent}from {impl.module} import {head} as {local('impl', taken)}"


def call_line(
    node: Function, taken: frozenset[str] | set[str], first: list[str], indent: int
) -> str:
    """Write the call of what runs, with arguments by position in the declared order."""
    rest = node.impl.attribute.partition(".")[2]
    function = local("impl", taken) + (f".{rest}" if rest else "")
    arguments = [*first, *(p.name for p in node.parameters)]
    return statement("return ", call(function, *arguments), indent)
