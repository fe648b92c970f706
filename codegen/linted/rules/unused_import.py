"""An import that nothing uses.

from codegen.schema import Dim, f32    ->    UNUSED_IMPORT: `Dim` is imported but never used
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic, Fix
from codegen.linted.edits import without_name, without_statement
from codegen.linted.linting import Linting, Written
from codegen.schema.stub import Import, bound


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each name that an import binds and nothing uses."""
    for name, module in linting.modules.items():
        used = linting.uses[name]
        for statement in module.stub.tree.body:
            if not isinstance(statement, Import):
                continue
            unused = [
                index
                for index, item in enumerate(statement.names)
                # `import x as x` says that it is meant to be there for others.
                if not used[bound(item)] and item.asname != item.name
            ]
            for index in unused:
                item = statement.names[index]
                is_alone = len(unused) == len(statement.names)
                yield linting.warn(
                    Code.UNUSED_IMPORT,
                    module.source,
                    module.source.span(item),
                    f"`{bound(item)}` is imported but never used",
                    label="used nowhere in this module",
                    advice="leave it out",
                    fix=_fix(module, statement, index, is_alone=is_alone),
                )


def _fix(module: Written, statement: Import, index: int, *, is_alone: bool) -> Fix | None:
    edit = (
        without_statement(module.source, statement)
        if is_alone
        else without_name(module.source, statement, index)
    )
    name = bound(statement.names[index])
    return None if edit is None else Fix(f"remove the import of `{name}`", (edit,))
