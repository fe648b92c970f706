"""A dimension that no shape has.

nz = Dim()    ->    UNUSED_DIMENSION: the dimension `nz` is declared but never used

Nor is a mesh axis used of a dimension that stands in shapes as `*nz` alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.removal import removal
from codegen.schema.nodes import DimDecl
from codegen.source import Source


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dimension that is used neither in its module nor in one that imports it."""
    for name, module in linting.modules.items():
        for dim in module.decl.dims:
            count = linting.use_count(name, dim.name)
            if count and dim.mesh and linting.use_count(name, f"*{dim.name}") == count:
                yield _unsharded(linting, module.source, dim)
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
