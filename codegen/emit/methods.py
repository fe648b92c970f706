"""Methods and properties that run a user's function, and what they override."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.emit.annotations import AnnotationStyle, annotation
from codegen.emit.expressions import (
    call,
    doc_lines,
    docstring,
    expression,
    py_str,
)
from codegen.emit.names import ModuleNames, local
from codegen.emit.view import ImportView, MethodView
from codegen.program.nodes import Function, Parameter, Value
from codegen.program.types import NoneType
from codegen.schema.nodes import ImplDecl


def self_name(taken: Iterable[str]) -> str:
    """Return what `self` is called where a parameter may have that name."""
    return local("self", set(taken))


def method(node: Function, names: ModuleNames) -> MethodView:
    """Write one method, property, class method or static method.

    @impl("heat_model:energy")        ->    def energy(self) -> Float32[Array, ""]:
    def energy(self) -> f32: ...                from heat_model import energy as impl
                                                result: Float32[Array, ""] = impl(self)
                                                return result
    """
    taken = frozenset(p.name for p in node.parameters)
    first = () if node.kind == "staticmethod" else (_first(node, taken),)
    taken |= {*first}
    doc = doc_lines(node.doc)
    return MethodView(
        name=node.name,
        decorators=() if node.kind == "method" else (names.builtin(node.kind),),
        parameters=(*first, *parameters_of(node, names)),
        returns=annotation(node.returns, AnnotationStyle.PLAIN, names),
        doc=docstring(doc, 8) if doc else "",
        source=source_of(node.impl, taken),
        check=_check(node, names, first, taken),
        comment=declaration(node, names),
        call=call(implementation(node, taken), *first, *(p.name for p in node.parameters)),
        result=result_of(node, taken),
    )


def _first(node: Function, taken: frozenset[str]) -> str:
    """Return what a method is called with before its parameters."""
    return local("cls", taken) if node.kind == "classmethod" else self_name(taken)


def _check(
    node: Function, names: ModuleNames, first: tuple[str, ...], taken: frozenset[str]
) -> str:
    """Check the order of what runs, where it has an order; `self` may have any name there."""
    parameters = [*first, *["/"] * len(first), *(p.name for p in node.parameters)]
    if len(first) + len(node.parameters) < 2:
        return ""
    declared = f"{names.current}.{node.name}({', '.join(parameters)})"
    check = names.runtime("parameters", "check_parameters")
    return call(check, implementation(node, taken), py_str(declared))


def declaration(node: Function, names: ModuleNames) -> str:
    """Say where a call is declared: type checkers report there what does not fit the declaration."""
    owner = (
        "" if node.kind == "function" or names.current is None else f" of `{names.current.name}`"
    )
    file = f"{names.module.name.replace('.', '/')}.pyi"
    return f"# `def {node.name}`{owner} in {file} declares this call."


def parameters_of(node: Function, names: ModuleNames) -> list[str]:
    """Write the parameters of a function or method, as its callers see them."""
    texts: list[str] = []
    for parameter in node.parameters:
        if parameter.keyword_only and "*" not in texts:
            texts.append("*")
        held = annotation(parameter.type, _reading(parameter), names)
        texts.append(parameter_of(parameter.name, held, parameter.default, names))
    return texts


def parameter_of(name: str, held: str, default: Value | None, names: ModuleNames) -> str:
    """Write a parameter of a type, with its default."""
    return f"{name}: {held}" + ("" if default is None else f" = {expression(default, names)}")


def _reading(parameter: Parameter) -> AnnotationStyle:
    if parameter.role is None:
        return AnnotationStyle.PLAIN
    return (
        AnnotationStyle.STATIC_PARAMETER
        if parameter.role == "static"
        else AnnotationStyle.DYNAMIC_PARAMETER
    )


def source_of(impl: ImplDecl, taken: frozenset[str]) -> ImportView:
    """Write the import of what runs."""
    head = impl.attribute.partition(".")[0]
    name = local("impl", taken)
    return ImportView(impl.module, (head if head == name else f"{head} as {name}",))


def implementation(node: Function, taken: frozenset[str]) -> str:
    """Write what runs, as `source_of` imports it."""
    rest = node.impl.attribute.partition(".")[2]
    return local("impl", taken) + (f".{rest}" if rest else "")


def result_of(node: Function, taken: frozenset[str]) -> str:
    """Name the typed variable of the result: one that does not fit is a type error.

    A result whose type nobody knows, as that of a jitted function, is none. What returns None has
    no result for mypy, which a variable could be given.
    """
    return "" if isinstance(node.returns, NoneType) else local("result", taken)
