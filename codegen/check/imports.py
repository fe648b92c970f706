"""Which modules must be imported before others, and which imports can wait.

class Node: next: dynamic[b.Node | None]    ->    a imports b when a type checker asks, not before
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.program.graph import cycles
from codegen.program.nodes import Construction, EnumMember, Module, Program, Value, iter_values
from codegen.program.references import (
    annotated_types,
    declared_values,
    defaults_of,
    inherited_values,
    refs_in_types,
    signature_types,
)
from codegen.program.types import Ref, Type
from codegen.source import Span


def needed_modules(module: Module) -> set[str]:
    """Return the modules that must be imported before this one can define its classes and
    functions.
    """
    return {name for name, _ in iter_needed_modules(module)} - {module.name}


def iter_needed_modules(module: Module) -> Iterator[tuple[str, Span]]:
    """Yield each module (also itself) that a module needs at once, and the place that needs it."""
    for node in module.classes:
        if node.base is not None:
            yield node.base.ref.module, node.base.span
        for value in declared_values(node):
            yield from ((ref.module, value.span) for ref in refs_in_value(value))
        # The methods repeat the defaults of inherited fields.
        for value in inherited_values(node):
            yield from ((ref.module, node.span) for ref in refs_in_value(value))
    for function in module.functions:
        for value in defaults_of(function):
            yield from ((ref.module, value.span) for ref in refs_in_value(value))
    for typevar in module.imported_typevars:
        # `Generic[T]` is evaluated when the class is defined.
        yield typevar.ref.module, typevar.span


def refs_in_value(value: Value | None) -> list[Ref]:
    """Return the classes that a value calls, and the enums of its members."""
    return [one.ref for one in iter_values(value) if isinstance(one, Construction | EnumMember)]


def mentioned_modules(module: Module) -> set[str]:
    """Return every module that a module's types and values name."""
    types: list[Type] = [alias.type for alias in module.aliases]
    for node in module.classes:
        types += [*annotated_types(node), *(constant.type for constant in node.constants)]
    for function in module.functions:
        types += signature_types(function)
    refs = refs_in_types(*types)
    return ({ref.module for ref in refs} | needed_modules(module)) - {module.name}


def late_imports(program: Program) -> frozenset[tuple[str, str]]:
    """Return the imports in cycles of modules that can wait until they are used."""
    mentioned = {m.name: sorted(mentioned_modules(m)) for m in program.modules}
    late: set[tuple[str, str]] = set()
    for group in cycles(mentioned):
        for module in (m for m in program.modules if m.name in group):
            # Indirect types come from modules that a module may not mention itself.
            waiting = set(group) - {module.name} - needed_modules(module)
            late.update((module.name, other) for other in waiting)
    return frozenset(late)
