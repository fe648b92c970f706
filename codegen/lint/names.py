"""Lints about names: unused dimensions, and names that mislead."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.lint.fix import removal
from codegen.lint.linting import Linting
from codegen.program.nodes import Field, Module, Parameter, Program
from codegen.program.references import signature_types
from codegen.program.types import Ref, Sequence
from codegen.schema.imports import absolute_module
from codegen.schema.nodes import Import, declarations


def unused_dimension(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dimension that is used neither in its module nor in one that imports it.

    nz = Dim()    ->    UNUSED_DIMENSION: the dimension `nz` is declared but never used

    A mesh axis is also unused if its dimension appears in shapes only as `*nz`, or only as the
    length of tuples.
    """
    program = linting.program
    imported = {ref for module in program.modules for ref, _ in module.refs}
    uses = Counter(ref for module in program.modules for ref in _uses(linting, module))
    lengths = _dims_used_only_as_lengths(program)
    for module in program.modules:
        for dim in module.dims:
            ref, name = Ref(module.name, dim.name), dim.name
            label, fix = "the arrays are replicated", None
            if not uses[ref]:
                message = f"the dimension `{name}` is declared but never used"
                label = "no shape uses it"
                advice = (
                    f"remove `{name}`, or write a shape with it: `f32[{name}]`. A `static[int]` "
                    "field needs no `Dim()`"
                )
                # The import in another module must be removed first.
                if ref not in imported:
                    fix = removal(linting.modules[module.name].stub, name)
            elif dim.mesh and uses[Ref(module.name, f"*{name}")] == uses[ref]:
                message = (
                    f"the mesh axis of `{name}` is never used, because the axes of `*{name}` are "
                    "not sharded"
                )
                advice = f"write `{name}` for one axis, as in `f32[{name}, n]`, or remove `mesh=`"
            elif dim.mesh and name in lengths:
                message = (
                    f"the mesh axis of `{name}` is never used, because `{name}` is only the length "
                    "of tuples"
                )
                label = "no array has this axis"
                advice = (
                    f"write `stacked[Block, {name}]`, which adds the axis to every array, or "
                    "remove `mesh=`"
                )
            else:
                continue
            yield linting.warn(
                Code.UNUSED_DIMENSION, dim.span, message, label=label, advice=advice, fix=fix
            )


def _uses(linting: Linting, module: Module) -> Iterator[Ref]:
    """Yield the declaration of each name that a module reads; of `n` in `*n`, also "*n"."""
    homes = {local: ref for ref, local in module.refs}
    for node in ast.walk(linting.modules[module.name].stub.tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield homes.get(name) or Ref(module.name, name)
            case ast.Starred(value=ast.Name(id=name)):
                ref = homes.get(name) or Ref(module.name, name)
                yield Ref(ref.module, f"*{ref.name}")
            case _:
                pass


def _dims_used_only_as_lengths(program: Program) -> set[str]:
    """Return the dimensions that tuples have, but no array."""
    held = [field.type for node in program.classes.values() for field in node.fields]
    held += [type for function in program.functions for type in signature_types(function)]
    lengths, axes = set[str](), set[str]()
    for part in (part for type in held for part in type.iter_held()):
        target = lengths if isinstance(part, Sequence) else axes
        target.update(name for dim in part.own_dims for name in dim.names)
    return lengths - axes


def absolute_import(linting: Linting) -> Iterator[Diagnostic]:
    """Report each absolute import of a name that a schema declares.

    from materials import Material    ->    ABSOLUTE_IMPORT: `materials` is a schema: `from .materials import ...`
    """
    for name, module in linting.modules.items():
        for one in module.decl.imports:
            source = "" if one.level else _meant(linting, name, one)
            if source:
                yield linting.warn(
                    Code.ABSOLUTE_IMPORT,
                    one.span,
                    f"`{one.module}` is a schema, but this line imports a Python module with that name",
                    label=f"`{one.attribute}` comes from the Python module, not from the schema"
                    if one.attribute
                    else "this is the Python module, not the schema",
                    advice=f"write `from {source} import {one.attribute or '...'}`",
                )


def _meant(linting: Linting, importer: str, one: Import) -> str:
    """Return the relative name of the schema that was probably meant; empty if there is none."""
    for dots in range(1, importer.count(".") + 2):
        home = linting.modules.get(absolute_module(importer, dots, one.module) or "")
        if home is not None and home.decl.name != importer:
            names = [declared.name for declared in declarations(home.decl)]
            if one.attribute in ("", *names):
                return f"{'.' * dots}{one.module}"
    return ""


def size_not_static(linting: Linting) -> Iterator[Diagnostic]:
    """Report non-`static[int]` fields with a dimension's name, and dynamic `int` arguments.

    n: dynamic[int]    beside    x: dynamic[f32[n]]    ->    SIZE_NOT_STATIC
    """
    declared = {
        Ref(module.name, dim.name): dim for module in linting.program.modules for dim in module.dims
    }
    for module in linting.program.modules:
        dims = {dim.name: dim for dim in module.dims}
        dims |= {name: declared[ref] for ref, name in module.refs if ref in declared}
        places: list[Field | Parameter] = []
        places += (field for node in module.classes for field in node.own_fields)
        places += (one for function in module.functions for one in function.parameters)
        for one in places:
            kind = "field" if isinstance(one, Field) else "parameter"
            is_size = one.type.is_int
            # A parameter with another type is no size, whatever its name.
            is_right = one.role == "static" if is_size else kind == "parameter"
            if one.name not in dims or is_right:
                continue
            yield linting.warn(
                Code.SIZE_NOT_STATIC,
                one.span if kind == "field" else one.role_span,
                f"the {kind} `{one.name}` has the name of a dimension, but is not its size",
                label="a size must be static" if is_size else "not an `int`",
                advice=f"write `{one.name}: static[int]` for the size, or rename the {kind}",
                related=(Related(dims[one.name].span, "the dimension"),),
            )
