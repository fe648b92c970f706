"""Which modules must be imported before others, and which imports can wait.

class Node: next: dynamic[b.Node | None]    ->    a imports b when a type checker asks, not before
"""

from __future__ import annotations

from codegen.program.graph import cycles
from codegen.program.nodes import Construction, EnumMember, Module, Program, Value, walk_values
from codegen.program.references import (
    annotated_types,
    named_refs,
    signature_types,
    values_in,
)
from codegen.program.types import Ref, Type


def needed_modules(module: Module) -> set[str]:
    """The modules that must be imported before this one can define its classes and functions."""
    refs = {node.base.ref for node in module.classes if node.base is not None}
    for value in values_in(module):
        refs.update(made_of(value))
    # A class is derived from `Generic[T]` when it is defined.
    refs.update(typevar.ref for typevar in module.imported_typevars)
    return {ref.module for ref in refs} - {module.name}


def made_of(value: Value | None) -> list[Ref]:
    """The classes that a value calls, and the enums whose members it holds."""
    return [one.ref for one in walk_values(value) if isinstance(one, Construction | EnumMember)]


def mentioned_modules(module: Module) -> set[str]:
    """Every module that a module's types and values name."""
    types: list[Type] = [alias.type for alias in module.aliases]
    for node in module.classes:
        types += [*annotated_types(node), *(constant.type for constant in node.constants)]
    for function in module.functions:
        types += signature_types(function)
    refs = named_refs(*types)
    return ({ref.module for ref in refs} | needed_modules(module)) - {module.name}


def late_imports(program: Program) -> frozenset[tuple[str, str]]:
    """Imports within circles of modules that can wait until they are used."""
    mentioned = {m.name: sorted(mentioned_modules(m)) for m in program.modules}
    late: set[tuple[str, str]] = set()
    for group in cycles(mentioned):
        for module in (m for m in program.modules if m.name in group):
            # What a module holds is made of types that it may not mention itself.
            waiting = set(group) - {module.name} - needed_modules(module)
            late.update((module.name, other) for other in waiting)
    return frozenset(late)
