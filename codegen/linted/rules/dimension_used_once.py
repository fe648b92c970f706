"""A dimension that stands in one place, where it is compared with nothing.

nz = Dim()    with one `f32[nz]`    ->    DIMENSION_USED_ONCE
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dimension with a single use, no mesh axis and no field that says its size."""
    sized = {
        field.name
        for node in linting.program.classes.values()
        for field in node.fields
        if field.role == "static"
    }
    for name, module in linting.modules.items():
        for dim in module.decl.dims:
            if linting.use_count(name, dim.name) != 1 or dim.mesh or dim.name in sized:
                continue
            yield linting.warn(
                Code.DIMENSION_USED_ONCE,
                module.source,
                dim.span,
                f"the dimension `{dim.name}` is used in one place alone",
                label="compared with nothing",
                advice="write `_` for one axis of any size, or name the same size elsewhere: "
                f"a field `{dim.name}: static[int]`, say",
            )
