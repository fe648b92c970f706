"""Read roles: what stands around the type of a field or of a parameter.

donated[f32[nx]]    ->    RoleOf("donated", <f32[nx]>)
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean, suggest
from codegen.schema.habits import HABITS
from codegen.schema.nodes import Role
from codegen.schema.scope import Scope, listed
from codegen.schema.vocabulary import DTYPES, HOME_OF_WORD, KINDS, ROLES
from codegen.source import Span
from codegen.syntax import nodes as syntax

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

    role: Role
    type: syntax.Expr
    span: Span


def decode_role(scope: Scope, annotation: syntax.Expr, what: str) -> RoleOf | None:
    """Take `role[T]` apart; `what` names the field or parameter in diagnostics."""
    head = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    word = scope.word(head)
    if word is None or word.kind != "role":
        _no_role(scope, annotation, head, what)
        return None
    items = annotation.items if isinstance(annotation, syntax.Subscript) else ()
    if len(items) != 1:
        scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation.span,
            f"`{word.name}` takes exactly one type",
            label=f"{len(items)} given" if items else "no type given",
            advice=_one_type(scope, word.name, items),
        )
        return None
    role: Role = "static" if word.name == "static" else "dynamic"
    if word.name == "donated":
        role = "donated"
    return RoleOf(role, _without_roles(scope, word.name, items[0]), head.span)


def _one_type(scope: Scope, role: str, items: tuple[syntax.Expr, ...]) -> str:
    """What to write for `donated[f32, n]`, and for `donated[A, B]`."""
    if not items:
        return f"write `{role}[T]`"
    head, *others = items
    text = _with_items(scope, head, tuple(others))
    is_shape = not any(scope.word(other) or isinstance(other, syntax.Subscript) for other in others)
    if scope.kind(head) in ("dtype", "kind") and is_shape and text:
        return f"write `{role}[{text}]`"
    return f"write `{role}[tuple[A, B]]` for several"


def _without_roles(scope: Scope, outer: str, type: syntax.Expr) -> syntax.Expr:
    """The type inside roles that stand around each other, of which there is one too many."""
    inner = type
    roles = [outer]
    while isinstance(inner, syntax.Subscript) and len(inner.items) == 1:
        word = scope.word(inner.value)
        if word is None or word.kind != "role":
            break
        roles.append(word.name)
        inner = inner.items[0]
    if inner is not type:
        text = written(scope, inner) or "T"
        choices = [f"{role}[{text}]" for role in dict.fromkeys(roles)]
        scope.add(
            Code.NESTED_ROLE,
            type.span,
            f"the role `{roles[1]}` stands inside the role `{outer}`",
            label="a role stands outermost, once",
            advice=f"write {listed(choices, 'or')}",
        )
    return inner


def _no_role(scope: Scope, annotation: syntax.Expr, head: syntax.Expr, what: str) -> None:
    if isinstance(annotation, syntax.Call) and _called_role(scope, annotation):
        return
    name = head.id if isinstance(head, syntax.Name) else ""
    module = head.value if isinstance(head, syntax.Attribute) and head.name in ROLES else None
    if "unknown" in (scope.kind(head), scope.kind(module)):
        return
    if isinstance(annotation, syntax.Binary) and _around_part(scope, annotation):
        return
    if isinstance(annotation, syntax.Subscript) and _inside_out(scope, annotation):
        return
    if name in ROLES and name not in scope.declared:
        scope.missing_import(name, head.span)
        missing_words(scope, annotation)
    elif isinstance(annotation, syntax.Subscript) and _is_meant_as_role(scope, name):
        roles = {local for local, word in scope.words.items() if word.kind == "role"} | {*ROLES}
        scope.add(
            Code.UNKNOWN_ROLE,
            head.span,
            f"`{name}` is not a role",
            label="roles are `static`, `dynamic` and `donated`",
            advice=did_you_mean(name, roles, "`static` is the trace key, `dynamic` is data"),
        )
    else:
        scope.add(
            Code.MISSING_ROLE,
            annotation.span,
            f"{what} has a type but no role",
            label="static, dynamic or donated?",
            advice=wrapped(scope, annotation),
        )


def _inside_out(scope: Scope, type: syntax.Subscript) -> bool:
    """Report `f32[donated]` and `donated[f32][n]`, whose brackets are the wrong way round."""
    inner = type.value
    if isinstance(inner, syntax.Subscript) and len(inner.items) == 1:
        found, head, rest = inner.value, inner.items[0], type.items
    else:
        found = next((item for item in type.items if _role(scope, item)), type)
        head, rest = inner, tuple(item for item in type.items if item is not found)
    role = _role(scope, found)
    if not role:
        return False
    # Of `tuple[dynamic, f32]` nobody can say what was meant to stand there.
    is_part = scope.kind(head) == "builtin" and head is inner
    text = "" if is_part else _with_items(scope, head, rest)
    scope.add(
        Code.NESTED_ROLE,
        found.span,
        f"the role `{role}` does not stand around the whole type",
        label="a role stands outermost, once",
        advice=f"write `{role}[{text or 'T'}]`",
    )
    missing_words(scope, found)
    return True


def _with_items(scope: Scope, head: syntax.Expr, items: tuple[syntax.Expr, ...]) -> str:
    """A type with what belongs into its brackets; empty where that is long."""
    inside = ", ".join(_bracketed(scope, item) for item in items)
    text = " ".join(f"{_bracketed(scope, head)}{f'[{inside}]' if items else ''}".split())
    return text if len(text) <= _SHORT else ""


def _called_role(scope: Scope, call: syntax.Call) -> bool:
    """Report `dynamic(f32[n])`; whether it is that."""
    role = _role(scope, call.function)
    if not role:
        return False
    scope.add(
        Code.WRONG_TYPE_ARGUMENTS,
        call.span,
        f"the role `{role}` is called",
        label="a role takes its type in brackets",
        advice=f"write `{(call.arguments and written(scope, call)) or f'{role}[T]'}`",
    )
    missing_words(scope, call.function)
    return True


def written(scope: Scope, type: syntax.Expr) -> str:
    """How a type is written, with brackets where it is called; empty where that is long."""
    result = " ".join(_bracketed(scope, type).split())
    return result if len(result) <= _SHORT else ""


def _bracketed(scope: Scope, type: syntax.Expr) -> str:
    if not isinstance(type, syntax.Call):
        return scope.source.text[type.span.start : type.span.end]
    items = ", ".join(_bracketed(scope, item) for item in type.arguments)
    head = _bracketed(scope, type.function)
    return f"{head}[{items}]" if items else head


def wrapped(scope: Scope, annotation: syntax.Expr) -> str:
    """What to write, with the type itself where it is short and a type of the language."""
    head = annotation
    if isinstance(annotation, syntax.Subscript):
        head = annotation.value
    elif isinstance(annotation, syntax.Call):
        head = annotation.function
    name = head.id if isinstance(head, syntax.Name) else ""
    name = head.name if isinstance(head, syntax.Attribute) else name
    type = written(scope, annotation)
    habit = HABITS.get(name) if name not in scope.declared else None
    items = annotation.items if isinstance(annotation, syntax.Subscript) else ()
    if habit and habit.startswith(_LEAVE_OUT) and len(items) == 1:
        advice, _, more = wrapped(scope, items[0]).partition("\n")
        return f"{advice}\n{more or _in_place(name, habit)}"
    if (
        habit
        or not type
        or _HAS_ROLE.search(type)
        or isinstance(head, syntax.Attribute | syntax.Constant)
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


def _around_part(scope: Scope, annotation: syntax.Binary) -> bool:
    """Report `dynamic[T] | None`, where the role stands around a part of the type."""
    parts = _alternatives(annotation)
    roles = [
        part for part in parts if isinstance(part, syntax.Subscript) and _role(scope, part.value)
    ]
    if not roles:
        return False
    words = sorted({_role(scope, part.value) for part in roles})
    held = {id(part): part.items for part in roles}
    inside = [item for part in parts for item in held.get(id(part), (part,))]
    text = " | ".join(scope.source.text[item.span.start : item.span.end] for item in inside)
    text = " ".join(text.split())
    scope.add(
        Code.NESTED_ROLE,
        roles[0].value.span,
        f"the role `{_role(scope, roles[0].value)}` stands around a part of the type",
        label="a role stands outermost, once",
        advice=f"write {listed([f'{word}[{text}]' for word in words], 'or')}",
    )
    for part in roles:
        missing_words(scope, part)
    return True


def _alternatives(expr: syntax.Expr) -> list[syntax.Expr]:
    if isinstance(expr, syntax.Binary) and expr.operator == "|":
        return [*_alternatives(expr.left), *_alternatives(expr.right)]
    return [expr]


def _role(scope: Scope, head: syntax.Expr) -> str:
    """The word of a role, imported or not, before brackets; empty for anything else."""
    name = head.id if isinstance(head, syntax.Name) else ""
    is_forgotten = name in ROLES and name not in scope.declared
    return name if is_forgotten or scope.kind(head) == "role" else ""


def missing_words(scope: Scope, expr: syntax.Expr | None) -> None:
    """Report the words of a type that are not imported either, but none of its dimensions."""
    match expr:
        case syntax.Name(id=name):
            if name in HOME_OF_WORD and name not in scope.declared and name not in scope.words:
                scope.missing_import(name, expr.span)
        case syntax.Subscript(value=head):
            missing_words(scope, head)
            if not (isinstance(head, syntax.Name) and head.id in (*DTYPES, *KINDS)):
                for item in expr.items:
                    missing_words(scope, item)
        case syntax.Binary():
            missing_words(scope, expr.left)
            missing_words(scope, expr.right)
        case syntax.List():
            for item in expr.items:
                missing_words(scope, item)
        case _:
            pass


def _is_meant_as_role(scope: Scope, name: str) -> bool:
    """Whether an unknown name before brackets is rather a role than a type."""
    if not name or name in scope.declared or name in scope.words or name in HABITS:
        return False
    nearest = suggest(name, (*ROLES, *DTYPES, *KINDS))
    return (nearest is None and name[:1].islower()) or nearest in ROLES
