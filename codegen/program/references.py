"""What declarations refer to (classes, values, functions), and the resulting order of classes.

    class Plate: grid: static[Grid]     ->    Grid, Plate
    class Grid: ...

A base, and a class that a default calls, must come first. A class that only an annotation names
comes first if possible. Where classes name each other, they keep the order of the schema and one
annotation is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from codegen.program.graph import components
from codegen.program.nodes import (
    Class,
    Construction,
    FactoryCall,
    Field,
    Function,
    FunctionPath,
    Imported,
    Module,
    Value,
    iter_values,
)
from codegen.program.types import ClassType, EnumType, Ref, Type
from codegen.schema.nodes import ImplDecl


def order_classes(classes: list[Class]) -> tuple[Class, ...]:
    """Return the classes in an order that works. Where several would, they keep the order of the
    schema.
    """
    by_ref = {c.ref: c for c in classes}
    needs = {ref: [r for r in required_classes(c) if r in by_ref] for ref, c in by_ref.items()}
    wishes = {
        ref: [*needs[ref], *(r for r in sorted(annotated_classes(c)) if r in by_ref)]
        for ref, c in by_ref.items()
    }
    ordered: list[Ref] = []
    for group in components(wishes):
        # Classes that name each other: only the strict requirements decide.
        inner = {ref: [r for r in needs[ref] if r in group] for ref in group}
        ordered.extend(ref for part in components(inner) for ref in part)
    return tuple(by_ref[ref] for ref in ordered)


def required_classes(node: Class) -> list[Ref]:
    """Return the classes that must exist before this one: its base, and those that its defaults
    call.
    """
    refs = [node.base.ref] if node.base else []
    for value in values_with_inherited(node):
        refs.extend(constructed_classes(value))
    return list(dict.fromkeys(refs))


def constructed_classes(value: Value | None) -> list[Ref]:
    """Return the classes that a value calls."""
    return [one.ref for one in iter_values(value) if isinstance(one, Construction)]


def annotated_classes(node: Class) -> set[Ref]:
    """Return the classes that the annotations of this one name."""
    return refs_in_types(*annotated_types(node)) - {node.ref}


def annotated_types(node: Class) -> list[Type]:
    """Return the types of a class's fields, and of its methods' parameters and results."""
    methods = (type for method in node.methods for type in signature_types(method))
    return [*(field.type for field in node.fields), *methods]


def signature_types(function: Function) -> list[Type]:
    """Return the types of a function's result and parameters."""
    return [function.returns, *(parameter.type for parameter in function.parameters)]


def refs_in_types(*types: Type) -> set[Ref]:
    """Return every class and enum that types mention, also in signatures of callables."""
    parts = (part for type in types for part in type.walk())
    return {part.ref for part in parts if isinstance(part, ClassType | EnumType)}


def values_with_inherited(node: Class) -> Iterator[Value]:
    """Yield a class's values, and the defaults of inherited fields, which its methods repeat."""
    yield from declared_values(node)
    yield from inherited_values(node)


def inherited_values(node: Class) -> Iterator[Value]:
    """Return the defaults of a class's inherited fields."""
    return _field_values(field for field in node.fields if field.owner != node.ref)


def declared_values(node: Class) -> Iterator[Value]:
    """Yield the defaults of a class's own fields, its constants, and defaults of its methods'
    parameters.
    """
    yield from _field_values(node.own_fields)
    yield from (constant.value for constant in node.constants)
    for method in node.methods:
        yield from defaults_of(method)


def defaults_of(function: Function) -> Iterator[Value]:
    """Return the defaults of a function's parameters."""
    return (one.default for one in function.parameters if one.default is not None)


def imported_values(module: Module) -> Iterator[Imported]:
    """Return the values that the defaults and constants of a module import from Python modules."""
    values = [value for node in module.classes for value in values_with_inherited(node)]
    values += [value for function in module.functions for value in defaults_of(function)]
    return (one for value in values for one in iter_values(value) if isinstance(one, Imported))


def _field_values(fields: Iterable[Field]) -> Iterator[Value]:
    return (field.default for field in fields if field.default is not None)


NamedFunction: TypeAlias = ImplDecl | FunctionPath | FactoryCall


def named_functions(module: Module) -> Iterator[NamedFunction]:
    """Yield each path that a module names, in the order of its declarations."""
    for function in module.functions:
        yield function.impl
    for node in module.classes:
        yield from _class_functions(node)


def _class_functions(node: Class) -> Iterator[NamedFunction]:
    yield from (method.impl for method in node.methods)
    yield from (migration.impl for migration in node.migrations)
    for field in node.own_fields:
        for value in (field.convert, field.init, field.default):
            if isinstance(value, FunctionPath) or (
                isinstance(value, FactoryCall) and value.module != "builtins"
            ):
                yield value
