"""Read roles, which wrap the type of a field or of a parameter.

donated[f32[nx]]    ->    RoleAnnotation("donated", <f32[nx]>)
"""

from __future__ import annotations

import ast
import re
from typing import Final, cast

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean, suggest
from codegen.schema.scope import Refused, Scope, counted, listed, short_text
from codegen.schema.stub import head, items, name_of
from codegen.schema.vocabulary import DTYPES, HABITS, KINDS, PLAIN_TYPES, ROLES, TRACED, Role
from codegen.source import Span

# The roles that advice lists for a type. A `ref` is rare, and is a choice that the user knows.
_ADVISED: Final = ("static", *TRACED)
# These roles for types that start with these words; all of them for every other type.
_ROLES_OF_HEAD: Final = {
    **dict.fromkeys(
        (*PLAIN_TYPES, "Callable", "Literal", "bytes", "frozendict", "str"), ("static",)
    ),
    **dict.fromkeys(("bool", "complex", "float", "int", "tuple"), ("static", "dynamic")),
    **dict.fromkeys(("dict", "key", "list", "stacked"), TRACED),
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
    role, types = word.name, items(annotation)
    if len(types) != 1:
        advice = f"write `{role}[T]` with one type. The dimensions of an array are in its own "
        advice += f"brackets, `{role}[f32[n]]`"
        advice += "" if role == "ref" else f"; several types are one tuple, `{role}[tuple[A, B]]`"
        raise scope.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation,
            f"`{role}` takes exactly one type",
            label=f"{counted(len(types))} given" if types else "no type given",
            advice=advice,
        )
    type = _strip_roles(scope, role, types[0])
    return RoleAnnotation(cast("Role", role), type, scope.source.span(head(annotation)))


def _refuse_nested(scope: Scope, where: ast.expr, message: str, advice: str) -> Refused:
    """Report a role that is not around the whole type."""
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
        text = short_text(scope, inner, "T")
        choices = listed((f"{role}[{text}]" for role in dict.fromkeys(roles)), "or")
        _refuse_nested(scope, type, message, f"write {choices}")
    return inner


def _refuse_missing_role(scope: Scope, annotation: ast.expr, what: str) -> Refused:
    """Report a type without a role."""
    first = head(annotation)
    name = name_of(first)
    module = first.value if isinstance(first, ast.Attribute) and first.attr in ROLES else None
    called = annotation.func if isinstance(annotation, ast.Call) else None
    if "unknown" in (scope.kind(first), scope.kind(module)):
        return Refused()
    if scope.kind(called) == "role":
        role = scope.words[name_of(called)].name
        return scope.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation,
            f"the role `{role}` is written with parentheses",
            label="a role takes its type in brackets",
            advice=f"write `{role}[T]`",
        )
    if (misplaced := _misplaced_role(scope, annotation)) is not None:
        role = scope.words[name_of(misplaced)].name
        message = f"the role `{role}` is not around the whole type"
        return _refuse_nested(scope, misplaced, message, f"write `{role}[T]` around the whole type")
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


def _misplaced_role(scope: Scope, annotation: ast.expr) -> ast.expr | None:
    """Return the first role in `dynamic[T] | None`, `f32[donated]` or `donated[f32][n]`."""
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            if isinstance(left, ast.BinOp) and (found_left := _misplaced_role(scope, left)):
                return found_left
            found = [one.value for one in (left, right) if isinstance(one, ast.Subscript)]
        case ast.Subscript(value=ast.Subscript(value=inner)):
            found = [inner, *items(annotation)]
        case ast.Subscript():
            found = [*items(annotation)]
        case _:
            found = []
    return next((one for one in found if scope.kind(one) == "role"), None)


def role_advice(scope: Scope, annotation: ast.expr) -> str:
    """Return the advice, with the type itself if it is short and a type of the language."""
    named = head(annotation)
    name = named.attr if isinstance(named, ast.Attribute) else name_of(named)
    habit = HABITS.get(name, "") if name not in scope.declared else ""
    type = short_text(scope, annotation, "T")
    is_odd = isinstance(named, ast.Attribute | ast.Constant | ast.Call)
    if habit or is_odd or _HAS_ROLE.search(type):
        type = "T"
    first = type.replace("|", "[").partition("[")[0].strip()
    is_own = first in scope.declared and first not in scope.words
    roles = _ADVISED if is_own else _ROLES_OF_HEAD.get(first, _ADVISED)
    choices = [f"`{role}[{type}]`" for role in roles]
    if len(choices) > 1:
        choices = [f"{one} if {ROLE_USES[role]}" for one, role in zip(choices, roles, strict=True)]
    advice = f"write {', or '.join(choices)}"
    if not habit:
        return advice
    return f"{advice}\n{habit if habit.startswith('remove ') else f'instead of `{name}`, {habit}'}"


def _is_meant_as_role(scope: Scope, name: str) -> bool:
    """Return whether an unknown name before brackets is more likely a role than a type."""
    if not name or name in scope.declared or name in scope.words or name in HABITS:
        return False
    nearest = suggest(name, (*ROLES, *DTYPES, *KINDS))
    return (nearest is None and name[:1].islower()) or nearest in ROLES
