"""An implementation whose parameters have another order than the declared ones.

@impl("heat_model:step")                                      # def step(rod, dt, rate): ...
def step(rod: ..., rate: ..., dt: ...) -> Rod: ...    ->    IMPLEMENTATION_PARAMETERS
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.python import Parameters, parameters
from codegen.program.nodes import Function, FunctionPath, Module
from codegen.schema.nodes import ImplDecl

# What `init=` is called with, as the initializers of JAX are.
_OF_INITIALIZERS = ("key", "shape", "dtype")
_ANY = ""


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each function whose module lies below the project and has another order."""
    for module in linting.program.modules:
        for path, declared in _calls(module):
            text = linting.python(path.module)
            found = None if text is None else parameters(text, path.attribute)
            fault = "" if found is None or len(declared) < 2 else _fault(declared, found)
            if found is not None and fault:
                keywords = ["*", *sorted(found.by_keyword)] if found.by_keyword else []
                given = ", ".join(name or "self" for name in declared)
                taken = ", ".join([*found.positional, *keywords])
                yield linting.warn(
                    Code.IMPLEMENTATION_PARAMETERS,
                    module.source,
                    path.span,
                    f"`{path.module}:{path.attribute}` is called with ({given}) by position, and "
                    f"its parameters are ({taken})",
                    label=fault,
                    advice="rename or reorder the parameters of the implementation, or write a "
                    "wrapper that has the declared order",
                )


def _calls(module: Module) -> Iterator[tuple[ImplDecl | FunctionPath, Sequence[str]]]:
    """Yield each function that is called with several arguments, and their names."""
    for function in module.functions:
        yield function.impl, _names(function)
    for node in module.classes:
        for method in node.methods:
            is_static = method.kind == "staticmethod"
            yield method.impl, _names(method) if is_static else [_ANY, *_names(method)]
        for field in node.own_fields:
            if isinstance(field.init, FunctionPath):
                yield field.init, _OF_INITIALIZERS


def _names(function: Function) -> list[str]:
    return [parameter.name for parameter in function.parameters]


def _fault(declared: Sequence[str], found: Parameters) -> str:
    """Say which declared parameter has another place, as the support package does."""
    given = list(found.positional)
    if found.is_decorated:
        # Only the order of the names that both have.
        declared = [name for name in declared if name in given]
        given = [name for name in given if name in declared]
    elif by_keyword := found.by_keyword.intersection(declared):
        return f"`{min(by_keyword)}` is taken only by keyword"
    elif declared[0] == _ANY:
        given[:1] = [_ANY]
    for name, taken in zip(declared, given, strict=False):
        if name and name != taken and name in given:
            return f"`{name}` would be passed as `{taken}`"
    return ""
