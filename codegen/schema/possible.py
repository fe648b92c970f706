"""Which roles a type can stand in, as far as one stub alone can tell.

possible_roles(scope, <list[f32]>)          ->    {"dynamic", "donated"}
possible_roles(scope, <Literal["a", "b"]>)  ->    {"static"}
possible_roles(scope, <Imported>)           ->    all three: another module knows it
"""

from __future__ import annotations

from typing import Final

from codegen.schema.scope import Scope
from codegen.schema.vocabulary import ENUMS, HOME_OF_WORD, ROLES
from codegen.syntax import nodes as syntax

_ALL: Final = frozenset(ROLES)
_STATIC: Final = frozenset(("static",))
_DATA: Final = frozenset(("dynamic", "donated"))
# Nothing in it is an array whose buffer could be consumed.
_NUMBER: Final = frozenset(("static", "dynamic"))

_STATIC_BUILTINS: Final = ("bytes", "frozenset", "set", "str")
_STATIC_WORDS: Final = ("callable", "dtype_type", "frozendict", "identity", "literal")
_STATIC_NAMES: Final = ("Callable", "Literal", "dtype", "frozendict", "identity")
_KEYS: Final = ("PRNGKey", "PRNGKeyArray")
_DEPTH_MAX: Final = 20


def possible_roles(scope: Scope, type: syntax.Expr, depth: int = 0) -> frozenset[str]:
    """The roles under which a type is none that a later stage is sure to refuse."""
    if depth > _DEPTH_MAX:
        return _ALL
    match type:
        case syntax.Name():
            return _named(scope, type, depth)
        case syntax.Constant(value=None):
            return _NUMBER
        case syntax.Binary(operator="|", left=left, right=right):
            return _together(scope, (left, right), depth)
        case syntax.Subscript(value=syntax.Name() as head, items=items):
            return _with_items(scope, head, items, depth)
        case syntax.Call(function=syntax.Name() as head, arguments=items):
            return _with_items(scope, head, items, depth)
        case _:
            return _ALL


def _with_items(
    scope: Scope, head: syntax.Name, items: tuple[syntax.Expr, ...], depth: int
) -> frozenset[str]:
    match _builtin(scope, head) or scope.kind(head):
        case "list" | "sequence":
            return _together(scope, items, depth) & _DATA
        case "dict" | "mapping":
            return _together(scope, items[1:], depth) & _DATA
        case "tuple":
            parts = tuple(
                item
                for item in items
                if not (isinstance(item, syntax.Constant) and item.value is ...)
            )
            return _together(scope, parts, depth)
        case _:
            return _named(scope, head, depth)


def _together(scope: Scope, parts: tuple[syntax.Expr, ...], depth: int) -> frozenset[str]:
    """The roles of a type of several parts: one array among them is enough to be donated."""
    found = [possible_roles(scope, part, depth + 1) for part in parts]
    roles = _ALL.intersection(*(one | {"donated"} if "dynamic" in one else one for one in found))
    return roles if any("donated" in one for one in found) else roles - {"donated"}


def _builtin(scope: Scope, head: syntax.Name) -> str:
    return head.id if scope.kind(head) == "builtin" and head.id not in scope.declared else ""


def _named(scope: Scope, head: syntax.Name, depth: int) -> frozenset[str]:
    if head.id in scope.statements:
        return _declared(scope, scope.statements[head.id], depth)
    word = scope.word(head)
    kind, name = (word.kind, word.name) if word else ("", "")
    if word is None and head.id in HOME_OF_WORD and head.id not in scope.declared:
        name = head.id  # its import was forgotten, which is reported besides
    if name in ("key", "stacked") or (
        word is None and head.id in _KEYS and head.id not in scope.declared
    ):
        return _DATA
    if kind in _STATIC_WORDS or name in (*_STATIC_NAMES, *_STATIC_BUILTINS):
        return _STATIC
    if kind == "builtin":
        return _DATA if name in ("list", "dict") else _NUMBER
    return _ALL


def _declared(scope: Scope, statement: syntax.Stmt, depth: int) -> frozenset[str]:
    """The roles of what the stub itself declares."""
    if isinstance(statement, syntax.Assign) and statement.value is not None:
        return possible_roles(scope, statement.value, depth + 1)
    if not isinstance(statement, syntax.Class):
        return _ALL
    if any(scope.kind(base) == "enum" or _name(base) in ENUMS for base in statement.bases):
        return _STATIC
    if _is_dynamic(scope, statement, depth):
        return _DATA
    is_static = not statement.bases and "static" in _field_roles(scope, statement)
    return _NUMBER if is_static else _ALL


def _is_dynamic(scope: Scope, node: syntax.Class, depth: int) -> bool:
    """Whether a class surely has a field that is data, its own or an inherited one."""
    if _field_roles(scope, node) - {"static"}:
        return True
    bases = (scope.statements.get(_name(base)) for base in node.bases)
    return depth < _DEPTH_MAX and any(
        isinstance(base, syntax.Class) and _is_dynamic(scope, base, depth + 1) for base in bases
    )


def _field_roles(scope: Scope, node: syntax.Class) -> set[str]:
    """The roles of a class's own fields, as far as they have one."""
    fields = (one for one in node.body if isinstance(one, syntax.Assign))
    heads = (one.annotation.value for one in fields if isinstance(one.annotation, syntax.Subscript))
    words = (scope.word(head) for head in heads)
    return {word.name for word in words if word is not None and word.kind == "role"}


def _name(expr: syntax.Expr) -> str:
    head = expr.value if isinstance(expr, syntax.Subscript) else expr
    return head.id if isinstance(head, syntax.Name) else ""
