"""Functions: their arguments are drawn as the fields of a class that no schema has.

def step(plate: donated[Plate], n: static[int])    ->    any_arguments_of_step, a law
"""

from __future__ import annotations

from msgspec.structs import replace

from codegen.program.nodes import Class, Field, Function, Module, Program
from codegen.program.types import Ref


def calls_of(program: Program) -> dict[Ref, Function]:
    """Name the arguments of every function that can be called with what is drawn."""
    return {
        Ref(module.name, f"arguments_of_{function.name}"): function
        for module in program.modules
        for function in module.functions
        if function.parameters
    }


def with_arguments(program: Program, calls: dict[Ref, Function]) -> Program:
    """Add to the classes of a program those whose objects are the arguments of a function."""
    modules = [_with_arguments(module, calls) for module in program.modules]
    return Program(tuple(modules))


def _with_arguments(module: Module, calls: dict[Ref, Function]) -> Module:
    added = [_arguments(ref, calls[ref], module) for ref in calls if ref.module == module.name]
    return replace(module, classes=(*module.classes, *added))


def _arguments(ref: Ref, function: Function, module: Module) -> Class:
    fields = tuple(
        Field(one.name, one.role or "dynamic", one.type, None, None, None, None, (), "", ref)
        for one in function.parameters
    )
    return Class(
        ref=ref, base=None, mixins=(), type_parameters=(), dims=(), abstract=False, eq=True, use=None,
        kw_only=True, draft=False, registration=None, own_fields=fields, fields=fields,
        constants=(), methods=(), shares=(), reserved=(), migrations=(), doc="",
        source=module.source,
    )  # fmt: skip
