"""The values that have to be made before a class or a module is complete.

class Plate: t: dynamic[f32] = 0.0; SIZE: ClassVar[int] = 3     ->    0.0, 3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.program.nodes import Class, Field, Function, Module, Value


def values_of(node: Class) -> Iterator[Value]:
    """Those that a class declares, and the defaults of inherited fields, which its methods repeat."""
    yield from declared_values(node)
    yield from _of_fields(field for field in node.fields if field.owner != node.ref)


def declared_values(node: Class) -> Iterator[Value]:
    """Defaults of its own fields, constants, and defaults of methods' parameters."""
    yield from _of_fields(node.own_fields)
    yield from (constant.value for constant in node.constants)
    for method in node.methods:
        yield from defaults_of(method)


def values_in(module: Module) -> Iterator[Value]:
    """The values of all classes of a module, and the defaults of its functions' parameters."""
    for node in module.classes:
        yield from values_of(node)
    for function in module.functions:
        yield from defaults_of(function)


def defaults_of(function: Function) -> Iterator[Value]:
    """The defaults of a function's parameters."""
    return (one.default for one in function.parameters if one.default is not None)


def _of_fields(fields: Iterable[Field]) -> Iterator[Value]:
    return (field.default for field in fields if field.default is not None)
