"""Read roles, which wrap the type of a field or of a parameter.

donated[f32[nx]]    ->    RoleAnnotation("donated", <f32[nx]>)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Final, cast

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean, suggest
from codegen.schema.nodes import Role
from codegen.schema.scope import SHORT, Refused, Scope, counted, listed
from codegen.schema.stub import head, items, name_of
from codegen.schema.vocabulary import DTYPES, HABITS, HOME_OF_WORD, KINDS, PLAIN_TYPES, ROLES
from codegen.source import Span

_LEAVE_OUT: Final = "remove "
# The roles that advice lists for a type. A `ref` is rare, and is a choice that the user knows.
_ADVISED: Final = ("static", "dynamic", "donated")
# These roles for types that start with these words; all of them for every other type.
_ROLES_OF_HEAD: Final = {
    **dict.fromkeys(
        (*PLAIN_TYPES, "Callable", "Literal", "bytes", "frozendict", "str"), ("static",)
    ),
    **dict.fromkeys(("bool", "complex", "float", "int", "tuple"), ("static", "dynamic")),
    **dict.fromkeys(("dict", "key", "list", "stacked"), ("dynamic", "donated")),
}
_HAS_ROLE: Final = re.compile(rf"\b(?:{'|'.join(ROLES)})\b")
ROLE_USES: Final = {
    "static": "JAX must compile again when the value changes",
    "dynamic": "the value is an input of the compiled function",
    "donated": "JAX may also reuse the memory of this input",
}


class RoleAnnotation(Struct, frozen=True):
    """A role, the type inside it, and the position of the role's word."""

    role: Role | None  # None: of a method's parameter
    type: ast.expr
    span: Span


def decode_role(scope: Scope, annotation: ast.expr, what: str) -> RoleAnnotation:
    """Split `role[T]` into role and type; `what` names the field or parameter in diagnostics."""
    word = scope.word(head(annotation))
    if word is None or word.kind != "role":
        raise _refuse_missing_role(scope, annotation, what)
    types = items(annotation)
    if len(types) != 1:
        raise scope.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation,
            f"`{word.name}` takes exactly one type",
            label=f"{counted(len(types))} given" if types else "no type given",
            advice=_one_type_advice(scope, word.name, types),
        )
    type = _strip_roles(scope, word.name, types[0])
    return RoleAnnotation(cast("Role", word.name), type, scope.source.span(head(annotation)))


def _one_type_advice(scope: Scope, role: str, types: list[ast.expr]) -> str:
    """Return the advice for `donated[f32, n]`, and for `donated[A, B]`."""
    if not types:
        return f"write `{role}[T]`"
    first, *others = types
    text = _format_rearranged(scope, first, others)
    is_shape = not any(scope.word(other) or isinstance(other, ast.Subscript) for other in others)
    if scope.kind(first) in ("dtype", "kind") and is_shape and text:
        return f"write `{role}[{text}]`"
    if role == "ref":
        return "write one array type, as in `ref[f32[n]]`, and declare a field for each Ref"
    return f"write `{role}[tuple[A, B]]` for several types"


def _refuse_nested(
    scope: Scope, where: ast.expr, message: str, roles: Iterable[str], type: str
) -> Refused:
    """Report a role that is not outermost; `type` is the type that it should wrap, empty if
    unclear.
    """
    choices = [f"{role}[{type or 'T'}]" for role in roles]
    advice = f"write {listed(choices, 'or')}"
    label = "expected one role, around the whole type"
    return scope.refused(Code.NESTED_ROLE, where, message, label, advice)


def _strip_roles(scope: Scope, outer: str, type: ast.expr) -> ast.expr:
    """Return the type inside nested roles. Only one role is allowed."""
    inner = type
    roles = [outer]
    while len(items(inner)) == 1 and scope.kind(head(inner)) == "role":
        roles.append(scope.words[name_of(head(inner))].name)
        (inner,) = items(inner)
    if inner is not type:
        message = f"the role `{roles[1]}` is inside the role `{outer}`"
        _refuse_nested(scope, type, message, dict.fromkeys(roles), format_type(scope, inner))
    return inner


def _refuse_missing_role(scope: Scope, annotation: ast.expr, what: str) -> Refused:
    """Report a type without a role."""
    first = head(annotation)
    name = name_of(first)
    module = first.value if isinstance(first, ast.Attribute) and first.attr in ROLES else None
    if isinstance(annotation, ast.Call) and (role := _role(scope, annotation.func)):
        return _refuse_called_role(scope, annotation, role)
    if "unknown" in (scope.kind(first), scope.kind(module)):
        return Refused()
    if isinstance(annotation, ast.BinOp) and _refuse_partial_role(scope, annotation):
        return Refused()
    if isinstance(annotation, ast.Subscript) and _refuse_swapped_brackets(scope, annotation):
        return Refused()
    if name in ROLES and name not in scope.declared:
        scope.missing_import(name, first)
        report_missing_words(scope, annotation)
        return Refused()
    if isinstance(annotation, ast.Subscript) and _is_meant_as_role(scope, name):
        roles = {local for local, word in scope.words.items() if word.kind == "role"} | {*ROLES}
        return scope.refused(
            Code.UNKNOWN_ROLE,
            first,
            f"`{name}` is not a role",
            label=f"the roles are {listed(ROLES)}",
            advice=did_you_mean(
                name,
                roles,
                f"write `static` if {ROLE_USES['static']}, or `dynamic` if {ROLE_USES['dynamic']}",
            ),
        )
    return scope.refused(
        Code.MISSING_ROLE,
        annotation,
        f"{what} has a type but no role",
        label="expected `static[...]`, `dynamic[...]` or `donated[...]`",
        advice=role_advice(scope, annotation),
    )


def _refuse_called_role(scope: Scope, call: ast.Call, role: str) -> Refused:
    """Report `dynamic(f32[n])`."""
    report_missing_words(scope, call.func)
    return scope.refused(
        Code.WRONG_TYPE_ARGUMENTS,
        call,
        f"the role `{role}` is written with parentheses",
        label="a role takes its type in brackets",
        advice=f"write `{(call.args and format_type(scope, call)) or f'{role}[T]'}`",
    )


def _refuse_swapped_brackets(scope: Scope, type: ast.Subscript) -> Refused | None:
    """Report `f32[donated]` and `donated[f32][n]`, whose brackets are swapped."""
    inner, rest = type.value, items(type)
    if len(items(inner)) == 1:
        role_expr, first = head(inner), items(inner)[0]
    else:
        role_expr, first = next((item for item in rest if _role(scope, item)), type), inner
        rest = [item for item in rest if item is not role_expr]
    role = _role(scope, role_expr)
    if not role:
        return None
    # In `tuple[dynamic, f32]` the intended item is unclear.
    is_part = scope.kind(first) == "builtin" and first is inner
    text = "" if is_part else _format_rearranged(scope, first, rest)
    report_missing_words(scope, role_expr)
    message = f"the role `{role}` is not around the whole type"
    return _refuse_nested(scope, role_expr, message, [role], text)


def _refuse_partial_role(scope: Scope, annotation: ast.BinOp) -> Refused | None:
    """Report `dynamic[T] | None`, where the role wraps only a part of the type."""
    parts = _alternatives(annotation)
    roles = [part for part in parts if isinstance(part, ast.Subscript) and _role(scope, part.value)]
    if not roles:
        return None
    for part in roles:
        report_missing_words(scope, part)
    words = [_role(scope, part.value) for part in roles]
    inside = [item for part in parts for item in (items(part) if part in roles else (part,))]
    text = " | ".join(map(scope.source.text_of, inside))
    message = f"the role `{words[0]}` is around only a part of the type"
    return _refuse_nested(scope, roles[0].value, message, sorted({*words}), text)


def _alternatives(expr: ast.expr) -> list[ast.expr]:
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.BitOr):
        return [*_alternatives(expr.left), *_alternatives(expr.right)]
    return [expr]


def _format_rearranged(scope: Scope, first: ast.expr, rest: list[ast.expr]) -> str:
    """Return a type with other brackets; empty if that is long."""
    inside = ", ".join(_format_call_as_brackets(scope, item) for item in rest)
    text = f"{_format_call_as_brackets(scope, first)}{f'[{inside}]' if rest else ''}"
    return text if len(text) <= SHORT else ""


def format_type(scope: Scope, type: ast.expr) -> str:
    """Format a type as in the source, with brackets where it is called; empty where
    that is long.
    """
    result = _format_call_as_brackets(scope, type)
    return result if len(result) <= SHORT else ""


def _format_call_as_brackets(scope: Scope, type: ast.expr) -> str:
    if not isinstance(type, ast.Call):
        return scope.source.text_of(type)
    inside = ", ".join(_format_call_as_brackets(scope, item) for item in type.args)
    first = _format_call_as_brackets(scope, type.func)
    return f"{first}[{inside}]" if inside else first


def role_advice(scope: Scope, annotation: ast.expr) -> str:
    """Return the advice, with the type itself if it is short and a type of the language."""
    named = annotation.func if isinstance(annotation, ast.Call) else head(annotation)
    name = named.attr if isinstance(named, ast.Attribute) else name_of(named)
    type = format_type(scope, annotation)
    habit = HABITS.get(name) if name not in scope.declared else None
    inside = items(annotation)
    if habit and habit.startswith(_LEAVE_OUT) and len(inside) == 1:
        advice, _, more = role_advice(scope, inside[0]).partition("\n")
        return f"{advice}\n{more or _habit_advice(name, habit)}"
    is_odd = isinstance(named, ast.Attribute | ast.Constant)
    if habit or is_odd or not type or _HAS_ROLE.search(type):
        type = "T"
    first = type.replace("|", "[").partition("[")[0].strip()
    is_own = first in scope.declared and first not in scope.words
    roles = _ADVISED if is_own else _ROLES_OF_HEAD.get(first, _ADVISED)
    choices = [f"`{role}[{type}]`" for role in roles]
    if len(choices) > 1:
        choices = [f"{one} if {ROLE_USES[role]}" for one, role in zip(choices, roles, strict=True)]
    advice = f"write {', or '.join(choices)}"
    return f"{advice}\n{_habit_advice(name, habit)}" if habit else advice


def _habit_advice(name: str, habit: str) -> str:
    """Return the advice of one line for a habit: to omit it, and why, or the replacement."""
    return habit if habit.startswith(_LEAVE_OUT) else f"instead of `{name}`, {habit}"


def _role(scope: Scope, expr: ast.expr) -> str:
    """Return the word of a role before brackets, imported or not; empty for anything else."""
    name = name_of(expr)
    is_forgotten = name in ROLES and name not in scope.declared
    return name if is_forgotten or scope.kind(expr) == "role" else ""


def report_missing_words(scope: Scope, expr: ast.expr | None) -> None:
    """Report the words of a type that are not imported either, but not its dimensions."""
    parts: list[ast.expr] = []
    match expr:
        case ast.Name(id=name):
            if name in HOME_OF_WORD and name not in scope.declared and name not in scope.words:
                scope.missing_import(name, expr)
        case ast.Subscript(value=value):
            parts = [value, *(items(expr) if name_of(value) not in (*DTYPES, *KINDS) else ())]
        case ast.BinOp(left=left, right=right):
            parts = [left, right]
        case ast.List(elts=elts):
            parts = elts
        case _:
            pass
    for part in parts:
        report_missing_words(scope, part)


def _is_meant_as_role(scope: Scope, name: str) -> bool:
    """Return whether an unknown name before brackets is more likely a role than a type."""
    if not name or name in scope.declared or name in scope.words or name in HABITS:
        return False
    nearest = suggest(name, (*ROLES, *DTYPES, *KINDS))
    return (nearest is None and name[:1].islower()) or nearest in ROLES
