"""Methods and properties: typed delegation to a Python function, imported when it is called.

@impl("heat_model:energy")        ->    def energy(self) -> Float32[Array, ""]:
def energy(self) -> f32: ...                from heat_model import energy as impl
                                            return impl(self)
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.program.nodes import Function, Parameter
from codegen.program.types import NoneType, Type
from codegen.schema.nodes import ImplDecl
from codegen.view.annotations import Reading, annotation
from codegen.view.docs import method_doc
from codegen.view.layout import (
    WIDTH,
    call,
    default_of,
    fit,
    flat,
    import_as,
    parenthesized,
    signature,
    statement,
)
from codegen.view.literals import docstring, expression
from codegen.view.names import Names, local
from codegen.view.nodes import MethodView


def self_name(taken: Iterable[str]) -> str:
    """Return what `self` is called where a parameter may have that name."""
    return local("self", set(taken))


def method(node: Function, names: Names) -> MethodView:
    """Write one method or property."""
    taken = frozenset(p.name for p in node.parameters)
    self = self_name(taken)
    lines = [self]
    for parameter in node.parameters:
        if parameter.keyword_only and "*" not in lines:
            lines.append("*")
        lines.append(parameter_line(parameter, Reading.PLAIN, names, 8))
    tail = result_tail(node.returns, names, 4)
    doc = method_doc(node)
    return MethodView(
        decorators=(f"    @{names.builtin('property')}",) if node.is_property else (),
        signature=signature(f"def {node.name}(", lines, tail, 4),
        doc=(docstring(doc, 8),) if doc else (),
        import_=import_line(node.impl, taken | {self}, 8),
        call=call_lines(node, names, taken | {self}, [self], 8),
    )


def parameter_line(parameter: Parameter, reading: Reading, names: Names, indent: int) -> str:
    """Write one parameter with its annotation and default."""
    prefix = f"{parameter.name}: "
    held = annotation(parameter.type, reading, names)
    if parameter.default is None:
        return prefix + fit(held, indent, indent + len(prefix), 1)
    return default_of(prefix, held, expression(parameter.default, names), indent)


def parameter_lines(node: Function, names: Names, indent: int) -> list[str]:
    """Write the parameters of a function, as its callers see them."""
    lines: list[str] = []
    for parameter in node.parameters:
        if parameter.keyword_only and "*" not in lines:
            lines.append("*")
        is_static = parameter.role == "static"
        reading = Reading.STATIC_PARAMETER if is_static else Reading.DYNAMIC_PARAMETER
        lines.append(parameter_line(parameter, reading, names, indent))
    return lines


def result_tail(
    type: Type, names: Names, indent: int, reading: Reading = Reading.PLAIN, head: str = ""
) -> str:
    """Write `) -> Result:`, behind `head` where no parameter can take lines of its own."""
    node = annotation(type, reading, names)
    return f") -> {parenthesized(node, indent, indent + len(head) + 5, 1)}:"


def import_line(impl: ImplDecl, taken: frozenset[str] | set[str], indent: int) -> str:
    """Write the import of what runs."""
    head = impl.attribute.partition(".")[0]
    return import_as(impl.module, head, local("impl", taken), indent)


def implementation(node: Function, taken: frozenset[str] | set[str]) -> str:
    """Write what runs, as `import_line` has imported it."""
    rest = node.impl.attribute.partition(".")[2]
    return local("impl", taken) + (f".{rest}" if rest else "")


def call_lines(
    node: Function,
    names: Names,
    taken: frozenset[str] | set[str],
    first: list[str],
    indent: int,
    reading: Reading = Reading.PLAIN,
) -> tuple[str, ...]:
    """Write the call of what runs, with arguments by position in the declared order.

    The result goes through a typed variable: one that does not fit is a type error, and one whose type
    nobody knows, as that of a jitted function, is none.
    """
    function = implementation(node, taken)
    arguments = [*first, *(p.name for p in node.parameters)]
    result = local("result", taken)
    called = call(function, *arguments)
    if isinstance(node.returns, NoneType):
        # What returns None has no result for mypy, which a variable could be given.
        return (statement("", called, indent),)
    prefix = f"{result}: "
    after = len(f" = {function}(" if arguments else f" = {function}()")
    held = annotation(node.returns, reading, names)
    margin, returned = " " * indent, f"{' ' * indent}return {result}"
    whole = f"{margin}{prefix}{flat(held)} = "
    if len(whole) + after - 3 > WIDTH > len(whole):
        # The type fits and the call's beginning does not: the call goes below.
        below = fit(called, indent + 4, indent + 4)
        return f"{whole}(\n{margin}    {below}\n{margin})", returned
    typed = prefix + parenthesized(held, indent, indent + len(prefix), after)
    last = typed.rsplit("\n", 1)[-1]
    before = len(last) + (0 if "\n" in typed else indent) + 3
    return f"{margin}{typed} = {fit(called, indent, before)}", returned
