"""Read what makes an object of today of what was saved of an earlier one.

@impl("migrations:split_qkv")
def migrate(since="3f2a9c01"): ...    ->    MigrationDecl("3f2a9c01", ImplDecl("migrations", "split_qkv"))
"""

from __future__ import annotations

import re

from codegen.diagnostics import Code
from codegen.schema.functions import decode_decorators
from codegen.schema.nodes import MigrationDecl
from codegen.schema.scope import Scope
from codegen.syntax import nodes as syntax

_DIGITS = re.compile(r"[0-9a-f]{8,64}")


def is_migration(node: syntax.Function) -> bool:
    """Whether a function in a class is none of its methods."""
    return node.name == "migrate" and [one.name for one in node.parameters] == ["since"]


def decode_migration(scope: Scope, node: syntax.Function) -> MigrationDecl | None:
    """Read one; None where it has a mistake."""
    impl, _ = decode_decorators(scope, node, in_class=True)
    default = node.parameters[0].default
    since = default.value if isinstance(default, syntax.Constant) else None
    if not isinstance(since, str) or not _DIGITS.fullmatch(since):
        scope.add(
            Code.WRONG_OPTION,
            node.parameters[0].span if default is None else default.span,
            "`since` is no digest of a class",
            label="expected eight hexadecimal digits, as a string",
            advice='write the digits that the error of `unpack` says, as `since="3f2a9c01"`',
        )
        return None
    return None if impl is None else MigrationDecl(since, impl, node.name_span)
