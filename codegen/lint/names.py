"""Lints about names: unused dimensions, and names that mislead."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic, Related
from codegen.lint.fix import removal
from codegen.lint.linting import Linting
from codegen.program.names import absolute_module
from codegen.program.nodes import Field, Parameter, Program
from codegen.program.references import signature_types
from codegen.program.types import Sequence, dim_names, dims_in, is_int, iter_held
from codegen.schema.nodes import Dimension, Import, declarations


def unused_dimension(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dimension that is used neither in its module nor in one that imports it.

    nz = Dim()    ->    UNUSED_DIMENSION: the dimension `nz` is declared but never used

    A mesh axis is also unused if its dimension appears in shapes only as `*nz`, or only as the
    length of tuples.
    """
    lengths = _dims_used_only_as_lengths(linting.program)
    for name, module in linting.modules.items():
        for dim in module.decl.dims:
            count = linting.use_count(name, dim.name)
            if count and dim.mesh and linting.use_count(name, f"*{dim.name}") == count:
                yield _unsharded(linting, dim)
            elif dim.mesh and dim.name in lengths:
                yield _of_tuples(linting, dim)
            if count:
                continue
            yield linting.warn(
                Code.UNUSED_DIMENSION,
                dim.span,
                f"the dimension `{dim.name}` is declared but never used",
                label="no shape uses it",
                advice=f"remove `{dim.name}`, or write a shape with it: `f32[{dim.name}]`. A "
                "`static[int]` field needs no `Dim()`",
                # The import in another module must be removed first.
                fix=None
                if (name, dim.name) in linting.imported
                else removal(module, dim.name, "dimension"),
            )


def _unsharded(linting: Linting, dim: Dimension) -> Diagnostic:
    return linting.warn(
        Code.UNUSED_DIMENSION,
        dim.span,
        f"the mesh axis of `{dim.name}` is never used, because the axes of `*{dim.name}` are not "
        "sharded",
        label="the arrays are replicated",
        advice=f"write `{dim.name}` for one axis, as in `f32[{dim.name}, n]`, or remove `mesh=`",
    )


def _dims_used_only_as_lengths(program: Program) -> set[str]:
    """Return the dimensions that tuples have, but no array."""
    held = [field.type for node in program.classes.values() for field in node.fields]
    held += [type for function in program.functions for type in signature_types(function)]
    lengths, axes = set[str](), set[str]()
    for part in (part for type in held for part in iter_held(type)):
        target = lengths if isinstance(part, Sequence) else axes
        target.update(name for dim in dims_in(part) for name in dim_names(dim))
    return lengths - axes


def _of_tuples(linting: Linting, dim: Dimension) -> Diagnostic:
    return linting.warn(
        Code.UNUSED_DIMENSION,
        dim.span,
        f"the mesh axis of `{dim.name}` is never used, because `{dim.name}` is only the length of "
        "tuples",
        label="no array has this axis",
        advice=f"write `stacked[Block, {dim.name}]`, which adds the axis to every array, or remove "
        "`mesh=`",
    )


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
    for module in linting.program.modules:
        dims = _dims(linting, module.name)
        for node in module.classes:
            for field in node.own_fields:
                if field.name in dims and not (field.role == "static" and is_int(field.type)):
                    yield _found(linting, field, dims[field.name], "field")
        for function in module.functions:
            for parameter in function.parameters:
                if (
                    parameter.name in dims
                    and parameter.role == "dynamic"
                    and is_int(parameter.type)
                ):
                    place = dims[parameter.name]
                    yield _found(linting, parameter, place, "parameter")


def _dims(linting: Linting, module: str) -> dict[str, Related]:
    """Return the dimensions that a module declares or imports, each with its declaration."""
    names: dict[str, Related] = {}
    linted = linting.modules[module]
    for dim in linted.decl.dims:
        names[dim.name] = Related(dim.span, "the dimension")
    for imported in linted.decl.imports:
        home = absolute_module(module, imported.level, imported.module)
        if not imported.level or home not in linting.modules:
            continue
        for dim in linting.modules[home].decl.dims:
            if dim.name == imported.attribute:
                names[imported.name] = Related(dim.span, "the dimension")
    return names


def _found(linting: Linting, declared: Field | Parameter, dim: Related, what: str) -> Diagnostic:
    return linting.warn(
        Code.SIZE_NOT_STATIC,
        declared.span if what == "field" else declared.role_span,
        f"the {what} `{declared.name}` has the name of a dimension, but is not its size",
        label="a size must be static" if is_int(declared.type) else "not an `int`",
        advice=f"write `{declared.name}: static[int]` for the size, or rename the {what}",
        related=(dim,),
    )
