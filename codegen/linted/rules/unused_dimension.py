"""A dimension that no shape has.

nz = Dim()    ->    UNUSED_DIMENSION: the dimension `nz` is declared but never used
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.removal import removal


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dimension that is used neither in its module nor in one that imports it."""
    for name, module in linting.modules.items():
        for dim in module.decl.dims:
            if linting.use_count(name, dim.name):
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
