"""Read enums: members with values, and nothing else.

class Scheme(Enum):                ->    Enum("Scheme", "Enum", (Member("EXPLICIT", ...),))
    EXPLICIT = "explicit"
"""

from __future__ import annotations

import ast
from functools import partial

from codegen.schema.names import check_name, check_twice, former_names
from codegen.schema.nodes import Enum, Member, Ref
from codegen.schema.scope import Scope, accepted
from codegen.schema.stub import name_of, statements, target
from codegen.schema.vocabulary import ENUMS
from codegen.source import Located, Span

_MIXED = {"int": "IntEnum", "str": "StrEnum"}


def enum_kind(scope: Scope, node: ast.ClassDef) -> str:
    """Which of enum's classes a class derives from, "" for none."""
    for base in node.bases:
        word = scope.word(base)
        if word is not None and word.kind == "enum":
            return word.name
        if isinstance(base, ast.Name) and base.id in ENUMS and base.id not in scope.declared:
            scope.missing_import(base.id, base)
            return base.id
        # `enum.Enum`: the import of the module as a whole was refused.
        if isinstance(base, ast.Attribute) and base.attr in ENUMS:
            return base.attr if scope.kind(base.value) == "unknown" else ""
    return ""


def decode_enum(scope: Scope, node: ast.ClassDef, kind: str) -> Enum[ast.expr]:
    """Read an enum."""
    bases = [b for b in node.bases if not isinstance(b, ast.Attribute) and name_of(b) != kind]
    mixed = [_MIXED[name_of(base)] for base in bases if name_of(base) in _MIXED]
    for extra in (*bases, *(k.value for k in node.keywords), *node.decorator_list):
        if scope.kind(extra) in ("enum", "unknown"):
            continue
        scope.outside(
            extra,
            f"the enum `{node.name}` has more than its enum base",
            label="not part of the language",
            advice=f"write `class {node.name}({mixed[0] if mixed else kind}):`",
        )
    members = accepted(partial(_member, scope, node), statements(node.body))
    check_twice(scope, [(m.name, m.span) for m in members], f"the enum `{node.name}`")
    was = former_names(scope, node, may_move=True)
    span = scope.source.name_span(node)
    ref = Ref(scope.source.module, node.name)
    return Enum(ref, kind, tuple(members), scope.doc(node), was, span=span)


def _member(scope: Scope, node: ast.ClassDef, statement: ast.stmt) -> Member[ast.expr]:
    if isinstance(statement, ast.Assign):
        name = target(statement)
        span = scope.source.span(name)
        check_name(scope, name.id, span, "member")
        was = former_names(scope, statement)
        return Member(name.id, statement.value, scope.doc(statement), was, span=span)
    where: Span | Located = statement
    if isinstance(statement, ast.AnnAssign):
        where = target(statement)
    elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
        where = scope.source.name_span(statement)
    raise scope.outside(
        where,
        f"the enum `{node.name}` holds something that is no member",
        label="not a member",
        advice='a member is written `NAME = "value"`, without a type; a function of a member '
        "belongs into a module of your own",
    )
