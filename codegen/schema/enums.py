"""Read enums: members with values, and nothing else.

class Scheme(Enum):                ->    EnumDecl("Scheme", "Enum", (MemberDecl("EXPLICIT", ...),))
    EXPLICIT = "explicit"
"""

from __future__ import annotations

from codegen.diagnostics import Code
from codegen.schema.names import check_name, check_twice
from codegen.schema.nodes import EnumDecl, MemberDecl
from codegen.schema.renames import former_names
from codegen.schema.scope import Scope
from codegen.schema.vocabulary import ENUMS
from codegen.syntax import nodes as syntax

_MIXED = {"int": "IntEnum", "str": "StrEnum"}


def enum_kind(scope: Scope, node: syntax.Class) -> str:
    """Which of enum's classes a class derives from, "" for none."""
    for base in node.bases:
        word = scope.word(base)
        if word is not None and word.kind == "enum":
            return word.name
        if isinstance(base, syntax.Name) and base.id in ENUMS and base.id not in scope.declared:
            scope.missing_import(base.id, base.span)
            return base.id
        # `enum.Enum`: the import of the module as a whole was refused.
        if isinstance(base, syntax.Attribute) and base.name in ENUMS:
            return base.name if scope.kind(base.value) == "unknown" else ""
    return ""


def decode_enum(scope: Scope, node: syntax.Class, kind: str) -> EnumDecl:
    """Read an enum."""
    bases = [b for b in node.bases if not isinstance(b, syntax.Attribute) and _name(b) != kind]
    mixed = [_MIXED[_name(base)] for base in bases if _name(base) in _MIXED]
    for extra in (*bases, *(k.value for k in node.keywords), *node.decorators):
        if scope.kind(extra) in ("enum", "unknown"):
            continue
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            extra.span,
            f"the enum `{node.name}` has more than its enum base",
            label="not part of the language",
            advice=f"write `class {node.name}({mixed[0] if mixed else kind}):`",
        )
    members: list[MemberDecl] = []
    for statement in node.body:
        if (
            isinstance(statement, syntax.Assign)
            and statement.annotation is None
            and statement.value is not None
        ):
            check_name(scope, statement.name, statement.name_span, "member")
            members.append(
                MemberDecl(
                    statement.name,
                    statement.value,
                    statement.doc,
                    former_names(scope, statement),
                    statement.name_span,
                )
            )
        else:
            _no_member(scope, node, statement)
    check_twice(scope, [(m.name, m.span) for m in members], f"the enum `{node.name}`")
    was = former_names(scope, node, may_move=True)
    return EnumDecl(node.name, kind, tuple(members), node.doc, was, node.name_span)


def _name(base: syntax.Expr) -> str:
    return base.id if isinstance(base, syntax.Name) else ""


def _no_member(scope: Scope, node: syntax.Class, statement: syntax.Stmt) -> None:
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        statement.name_span
        if isinstance(statement, syntax.Assign | syntax.Function | syntax.Class)
        else statement.span,
        f"the enum `{node.name}` holds something that is no member",
        label="not a member",
        advice='a member is written `NAME = "value"`, without a type; a function of a member '
        "belongs into a module of your own",
    )
