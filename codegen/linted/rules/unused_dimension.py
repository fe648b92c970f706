"""A dimension that no shape has.

nz = Dim()    ->    UNUSED_DIMENSION: the dimension `nz` is declared but never used

Nor is a mesh axis used of a dimension that stands in shapes as `*nz` alone, or is the length of tuples alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.removal import removal
from codegen.program.nodes import Program
from codegen.program.types import Sequence, dims_in, names_in, walk
from codegen.schema.nodes import DimDecl
from codegen.source import Source


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dimension that is used neither in its module nor in one that imports it."""
    lengths = _lengths(linting.program)
    for name, module in linting.modules.items():
        for dim in module.decl.dims:
            count = linting.use_count(name, dim.name)
            if count and dim.mesh and linting.use_count(name, f"*{dim.name}") == count:
                yield _unsharded(linting, module.source, dim)
            elif dim.mesh and dim.name in lengths:
                yield _of_tuples(linting, module.source, dim)
            if count:
                continue
            yield linting.warn(
                Code.UNUSED_DIMENSION,
                module.source,
                dim.span,
                f"the dimension `{dim.name}` is declared but never used",
                label="no shape has it",
                advice="leave it out, or name it in a shape: "
                f"`f32[{dim.name}]`; a `static[int]` field needs no declaration",
                # An import elsewhere goes first.
                fix=None
                if (name, dim.name) in linting.imported
                else removal(module, dim.name, "dimension"),
            )


def _unsharded(linting: Linting, source: Source, dim: DimDecl) -> Diagnostic:
    return linting.warn(
        Code.UNUSED_DIMENSION,
        source,
        dim.span,
        f"the mesh axis of `{dim.name}` is never used: `*{dim.name}` is any number of axes, and "
        "is not sharded",
        label="replicated everywhere",
        advice=f"write `{dim.name}` where it is one axis, `f32[{dim.name}, n]`; or leave `mesh=` "
        "out",
    )


def _lengths(program: Program) -> set[str]:
    """The dimensions that tuples have, and no array."""
    fields = [field for node in program.classes.values() for field in node.fields]
    functions = [function for module in program.modules for function in module.functions]
    held = [field.type for field in fields]
    held += [one for f in functions for one in (f.returns, *(p.type for p in f.parameters))]
    lengths, axes = set[str](), set[str]()
    for part in (part for type in held for part in walk(type)):
        found = lengths if isinstance(part, Sequence) else axes
        found.update(name for dim in dims_in(part) for name in names_in(dim))
    return lengths - axes


def _of_tuples(linting: Linting, source: Source, dim: DimDecl) -> Diagnostic:
    return linting.warn(
        Code.UNUSED_DIMENSION,
        source,
        dim.span,
        f"the mesh axis of `{dim.name}` is never used: it is the length of tuples, whose elements "
        "are not sharded over it",
        label="no array has it",
        advice=f"write `stacked[Block, {dim.name}]`, which has it in every array; or leave `mesh=` out",
    )
