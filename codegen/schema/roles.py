"""Read roles: what stands around the type of a field or of a parameter.

donated[f32[nx]]    ->    RoleOf("donated", <f32[nx]>)
"""

from __future__ import annotations

import ast
import re
from typing import Final, cast

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean, suggest
from codegen.schema.nodes import Role
from codegen.schema.scope import Refused, Scope, listed
from codegen.schema.stub import head, items, name_of
from codegen.schema.vocabulary import DTYPES, HABITS, HOME_OF_WORD, KINDS, ROLES
from codegen.source import Span

# A longer type is called `T` in what is advised.
_SHORT: Final = 40
_LEAVE_OUT: Final = "leave it out"
# The roles of types that start with these words; all three for every other type.
_ROLES_OF_HEAD: Final = {
    **dict.fromkeys(("Callable", "Literal", "bytes", "dtype", "frozendict", "str"), ("static",)),
    **dict.fromkeys(("bool", "complex", "float", "int", "tuple"), ("static", "dynamic")),
    **dict.fromkeys(("dict", "key", "list", "stacked"), ("dynamic", "donated")),
}
_HAS_ROLE: Final = re.compile(rf"\b(?:{'|'.join(ROLES)})\b")
_USES: Final = {
    "static": "the trace key",
    "dynamic": "data",
    "donated": "data whose buffer may be consumed",
}


class RoleOf(Struct, frozen=True):
    """A role, the type inside it, and the place of the role's word."""

    role: Role | None  # None: of a method's parameter
    type: ast.expr
    span: Span


def decode_role(scope: Scope, annotation: ast.expr, what: str) -> RoleOf:
    """Take `role[T]` apart; `what` names the field or parameter in diagnostics."""
    word = scope.word(head(annotation))
    if word is None or word.kind != "role":
        _no_role(scope, annotation, what)
        raise Refused
    types = items(annotation)
    if len(types) != 1:
        raise scope.refused(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation,
            f"`{word.name}` takes exactly one type",
            label=f"{len(types)} given" if types else "no type given",
            advice=_one_type(scope, word.name, types),
        )
    type = _without_roles(scope, word.name, types[0])
    return RoleOf(cast("Role", word.name), type, scope.source.span(head(annotation)))


def _one_type(scope: Scope, role: str, given: list[ast.expr]) -> str:
    """What to write for `donated[f32, n]`, and for `donated[A, B]`."""
    if not given:
        return f"write `{role}[T]`"
    first, *others = given
    text = _with_items(scope, first, others)
    is_shape = not any(scope.word(other) or isinstance(other, ast.Subscript) for other in others)
    if scope.kind(first) in ("dtype", "kind") and is_shape and text:
        return f"write `{role}[{text}]`"
    return f"write `{role}[tuple[A, B]]` for several"


def _without_roles(scope: Scope, outer: str, type: ast.expr) -> ast.expr:
    """The type inside roles that stand around each other, of which there is one too many."""
    inner = type
    roles = [outer]
    while isinstance(inner, ast.Subscript) and len(items(inner)) == 1:
        word = scope.word(inner.value)
        if word is None or word.kind != "role":
            break
        roles.append(word.name)
        inner = items(inner)[0]
    if inner is not type:
        text = written(scope, inner) or "T"
        choices = [f"{role}[{text}]" for role in dict.fromkeys(roles)]
        scope.add(
            Code.NESTED_ROLE,
            type,
            f"the role `{roles[1]}` stands inside the role `{outer}`",
            label="a role stands outermost, once",
            advice=f"write {listed(choices, 'or')}",
        )
    return inner


def _no_role(scope: Scope, annotation: ast.expr, what: str) -> None:
    if isinstance(annotation, ast.Call) and _called_role(scope, annotation):
        return
    first = head(annotation)
    name = name_of(first)
    module = first.value if isinstance(first, ast.Attribute) and first.attr in ROLES else None
    if "unknown" in (scope.kind(first), scope.kind(module)):
        return
    if isinstance(annotation, ast.BinOp) and _around_part(scope, annotation):
        return
    if isinstance(annotation, ast.Subscript) and _inside_out(scope, annotation):
        return
    if name in ROLES and name not in scope.declared:
        scope.missing_import(name, first)
        missing_words(scope, annotation)
    elif isinstance(annotation, ast.Subscript) and _is_meant_as_role(scope, name):
        roles = {local for local, word in scope.words.items() if word.kind == "role"} | {*ROLES}
        scope.add(
            Code.UNKNOWN_ROLE,
            first,
            f"`{name}` is not a role",
            label="roles are `static`, `dynamic` and `donated`",
            advice=did_you_mean(name, roles, "`static` is the trace key, `dynamic` is data"),
        )
    else:
        scope.add(
            Code.MISSING_ROLE,
            annotation,
            f"{what} has a type but no role",
            label="static, dynamic or donated?",
            advice=wrapped(scope, annotation),
        )


def _inside_out(scope: Scope, type: ast.Subscript) -> bool:
    """Report `f32[donated]` and `donated[f32][n]`, whose brackets are the wrong way round."""
    inner = type.value
    found: ast.expr
    if isinstance(inner, ast.Subscript) and len(items(inner)) == 1:
        found, first, rest = inner.value, items(inner)[0], items(type)
    else:
        found = next((item for item in items(type) if _role(scope, item)), type)
        first, rest = inner, [item for item in items(type) if item is not found]
    role = _role(scope, found)
    if not role:
        return False
    # Of `tuple[dynamic, f32]` nobody can say what was meant to stand there.
    is_part = scope.kind(first) == "builtin" and first is inner
    text = "" if is_part else _with_items(scope, first, rest)
    scope.add(
        Code.NESTED_ROLE,
        found,
        f"the role `{role}` does not stand around the whole type",
        label="a role stands outermost, once",
        advice=f"write `{role}[{text or 'T'}]`",
    )
    missing_words(scope, found)
    return True


def _with_items(scope: Scope, first: ast.expr, rest: list[ast.expr]) -> str:
    """A type with other brackets; empty if that is long."""
    inside = ", ".join(_bracketed(scope, item) for item in rest)
    text = f"{_bracketed(scope, first)}{f'[{inside}]' if rest else ''}"
    return text if len(text) <= _SHORT else ""


def _called_role(scope: Scope, call: ast.Call) -> bool:
    """Report `dynamic(f32[n])`; whether it is that."""
    role = _role(scope, call.func)
    if not role:
        return False
    scope.add(
        Code.WRONG_TYPE_ARGUMENTS,
        call,
        f"the role `{role}` is called",
        label="a role takes its type in brackets",
        advice=f"write `{(call.args and written(scope, call)) or f'{role}[T]'}`",
    )
    missing_words(scope, call.func)
    return True


def written(scope: Scope, type: ast.expr) -> str:
    """How a type is written, with brackets where it is called; empty where that is long."""
    result = _bracketed(scope, type)
    return result if len(result) <= _SHORT else ""


def _bracketed(scope: Scope, type: ast.expr) -> str:
    if not isinstance(type, ast.Call):
        return scope.source.text_of(type)
    inside = ", ".join(_bracketed(scope, item) for item in type.args)
    first = _bracketed(scope, type.func)
    return f"{first}[{inside}]" if inside else first


def wrapped(scope: Scope, annotation: ast.expr) -> str:
    """What to write, with the type itself where it is short and a type of the language."""
    named = annotation.func if isinstance(annotation, ast.Call) else head(annotation)
    name = named.attr if isinstance(named, ast.Attribute) else name_of(named)
    type = written(scope, annotation)
    habit = HABITS.get(name) if name not in scope.declared else None
    inside = items(annotation)
    if habit and habit.startswith(_LEAVE_OUT) and len(inside) == 1:
        advice, _, more = wrapped(scope, inside[0]).partition("\n")
        return f"{advice}\n{more or _in_place(name, habit)}"
    if (
        habit
        or not type
        or _HAS_ROLE.search(type)
        or isinstance(named, ast.Attribute | ast.Constant)
    ):
        type = "T"
    first = type.replace("|", "[").partition("[")[0].strip()
    is_own = first in scope.declared and first not in scope.words
    roles = ROLES if is_own else _ROLES_OF_HEAD.get(first, ROLES)
    choices = [f"`{role}[{type}]` for {_USES[role]}" for role in roles]
    advice = f"write {', '.join(choices)}"
    return f"{advice}\n{_in_place(name, habit)}" if habit else advice


def _in_place(name: str, habit: str) -> str:
    """What a line says of a habit: to leave it out, and why, or what to write for it."""
    if habit.startswith(_LEAVE_OUT):
        return f"leave `{name}` out{habit.removeprefix(_LEAVE_OUT)}"
    return f"in place of `{name}`, {habit}"


def _around_part(scope: Scope, annotation: ast.BinOp) -> bool:
    """Report `dynamic[T] | None`, where the role stands around a part of the type."""
    parts = _alternatives(annotation)
    roles = [part for part in parts if isinstance(part, ast.Subscript) and _role(scope, part.value)]
    if not roles:
        return False
    words = sorted({_role(scope, part.value) for part in roles})
    inside = [item for part in parts for item in (items(part) if part in roles else (part,))]
    text = " | ".join(map(scope.source.text_of, inside))
    scope.add(
        Code.NESTED_ROLE,
        roles[0].value,
        f"the role `{_role(scope, roles[0].value)}` stands around a part of the type",
        label="a role stands outermost, once",
        advice=f"write {listed([f'{word}[{text}]' for word in words], 'or')}",
    )
    for part in roles:
        missing_words(scope, part)
    return True


def _alternatives(expr: ast.expr) -> list[ast.expr]:
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.BitOr):
        return [*_alternatives(expr.left), *_alternatives(expr.right)]
    return [expr]


def _role(scope: Scope, expr: ast.expr) -> str:
    """The word of a role, imported or not, before brackets; empty for anything else."""
    name = name_of(expr)
    is_forgotten = name in ROLES and name not in scope.declared
    return name if is_forgotten or scope.kind(expr) == "role" else ""


def missing_words(scope: Scope, expr: ast.expr | None) -> None:
    """Report the words of a type that are not imported either, but none of its dimensions."""
    match expr:
        case ast.Name(id=name):
            if name in HOME_OF_WORD and name not in scope.declared and name not in scope.words:
                scope.missing_import(name, expr)
        case ast.Subscript(value=value):
            missing_words(scope, value)
            if name_of(value) not in (*DTYPES, *KINDS):
                for item in items(expr):
                    missing_words(scope, item)
        case ast.BinOp():
            missing_words(scope, expr.left)
            missing_words(scope, expr.right)
        case ast.List():
            for item in expr.elts:
                missing_words(scope, item)
        case _:
            pass


def _is_meant_as_role(scope: Scope, name: str) -> bool:
    """Whether an unknown name before brackets is rather a role than a type."""
    if not name or name in scope.declared or name in scope.words or name in HABITS:
        return False
    nearest = suggest(name, (*ROLES, *DTYPES, *KINDS))
    return (nearest is None and name[:1].islower()) or nearest in ROLES
