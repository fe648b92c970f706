"""The fix that takes a declaration away.

removal(module, "nz", "dimension")    ->    Fix("remove the dimension `nz`", ...)
"""

from __future__ import annotations

from codegen.diagnostics import Fix
from codegen.linted.edits import without_statement
from codegen.linted.linting import Written
from codegen.syntax import nodes as syntax


def removal(module: Written, name: str, what: str) -> Fix | None:
    """Take away the assignment that declares a name; None where it shares its line."""
    for statement in module.tree.body:
        if isinstance(statement, syntax.Assign) and statement.name == name:
            edit = without_statement(module.source, statement, statement.doc_span)
            return None if edit is None else Fix(f"remove the {what} `{name}`", (edit,))
    return None
