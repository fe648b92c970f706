"""The fix that takes a declaration away.

removal(module, "nz", "dimension")    ->    Fix("remove the dimension `nz`", ...)
"""

from __future__ import annotations

from codegen.diagnostics import Fix
from codegen.linted.edits import without_statement
from codegen.linted.linting import Written
from codegen.schema.stub import Assignment, target


def removal(module: Written, name: str, what: str) -> Fix | None:
    """Take away the assignment that declares a name; None where it shares its line."""
    stub = module.stub
    for statement in stub.tree.body:
        if isinstance(statement, Assignment) and target(statement).id == name:
            doc = stub.docs.get(statement)
            edit = without_statement(module.source, statement, doc.span if doc else None)
            return None if edit is None else Fix(f"remove the {what} `{name}`", (edit,))
    return None
