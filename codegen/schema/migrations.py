"""Read what makes an object of today of what was saved of an earlier one.

@impl("migrations:split_qkv")
def migrate(since="3f2a9c01"): ...    ->    MigrationDecl("3f2a9c01", ImplDecl("migrations", "split_qkv"))
"""

from __future__ import annotations

import ast
import re

from codegen.diagnostics import Code
from codegen.schema.functions import decode_decorators
from codegen.schema.nodes import MigrationDecl
from codegen.schema.scope import Scope
from codegen.schema.stub import constant, parameters

_DIGITS = re.compile(r"[0-9a-f]{8,64}")


def is_migration(node: ast.FunctionDef) -> bool:
    """Whether a function in a class is none of its methods."""
    return node.name == "migrate" and [one.name for one in parameters(node)] == ["since"]


def decode_migration(scope: Scope, node: ast.FunctionDef) -> MigrationDecl | None:
    """Read one; None where it has a mistake."""
    impl, _ = decode_decorators(scope, node, in_class=True)
    (parameter,) = parameters(node)
    since = constant(parameter.default)
    if not isinstance(since, str) or not _DIGITS.fullmatch(since):
        scope.add(
            Code.WRONG_OPTION,
            parameter.default or parameter.node,
            "`since` is no digest of a class",
            label="expected eight hexadecimal digits, as a string",
            advice='write the digits that the error of `unpack` says, as `since="3f2a9c01"`',
        )
        return None
    return None if impl is None else MigrationDecl(since, impl, scope.source.name_span(node))
