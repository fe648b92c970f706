"""A path to a function that its Python module does not have.

@impl("heat_model:stpe")    ->    UNKNOWN_IMPLEMENTATION: `heat_model` has no `stpe`
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.diagnostics.suggest import did_you_mean
from codegen.linted.linting import Linting
from codegen.linted.python import lacking
from codegen.program.nodes import Class, FunctionPath, Made, Module
from codegen.schema.nodes import ImplDecl


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each path whose module lies below the project and lacks the function."""
    for module in linting.program.modules:
        for path in _paths(module):
            text = linting.python(path.module)
            missing = None if text is None else lacking(text, path.attribute)
            if missing is not None:
                yield linting.warn(
                    Code.UNKNOWN_IMPLEMENTATION,
                    module.source,
                    path.span,
                    f"`{path.module}:{path.attribute}` is called, and `{path.module}` has no "
                    f"`{missing.name}`",
                    label="an AttributeError at the first call",
                    advice=did_you_mean(
                        missing.name, missing.names, f"write `{missing.name}` there"
                    ),
                )


def _paths(module: Module) -> Iterator[ImplDecl | FunctionPath | Made]:
    for function in module.functions:
        yield function.impl
    for node in module.classes:
        yield from _paths_of(node)


def _paths_of(node: Class) -> Iterator[ImplDecl | FunctionPath | Made]:
    yield from (method.impl for method in node.methods)
    yield from (migration.impl for migration in node.migrations)
    for field in node.own_fields:
        for value in (field.convert, field.init, field.default):
            if isinstance(value, FunctionPath | Made):
                yield value
