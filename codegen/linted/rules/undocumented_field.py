"""A field that nothing is said about.

u: donated[f32[nx]]    ->    UNDOCUMENTED_FIELD: the field `u` has no documentation
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.types import ClassType


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each field without a comment, but for those whose type is a class with a docstring."""
    for node in linting.program.classes.values():
        for field in node.own_fields:
            type = field.type
            is_explained = isinstance(type, ClassType) and linting.program.classes[type.ref].doc
            if field.doc or is_explained:
                continue
            yield linting.warn(
                Code.UNDOCUMENTED_FIELD,
                node.source,
                field.span,
                f"the field `{field.name}` has no documentation",
                label="what is it, in which unit?",
                advice=f"say so behind it: `{field.name}: ...  # temperature [K]`",
            )
