"""The functions that a module names by their paths, `"module:function"`.

@impl("heat_model:step")                ->    ImplDecl("heat_model", "step")
u: ... = field(init="heat_model:init")        FunctionPath("heat_model", "init")
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from codegen.program.nodes import Class, FunctionPath, Made, Module
from codegen.schema.nodes import ImplDecl

NamedFunction: TypeAlias = ImplDecl | FunctionPath | Made


def named_functions(module: Module) -> Iterator[NamedFunction]:
    """Yield each path that a module names, in the order of its declarations."""
    for function in module.functions:
        yield function.impl
    for node in module.classes:
        yield from _of_class(node)


def _of_class(node: Class) -> Iterator[NamedFunction]:
    yield from (method.impl for method in node.methods)
    yield from (migration.impl for migration in node.migrations)
    for field in node.own_fields:
        for value in (field.convert, field.init, field.default):
            if isinstance(value, FunctionPath) or (
                isinstance(value, Made) and value.module != "builtins"
            ):
                yield value
