"""Turn the expressions of defaults and options into values.

    Attribute(Name("Scheme"), "EXPLICIT")    ->    EnumMember(Ref("heat", "Scheme"), "EXPLICIT")
"""

from __future__ import annotations

from codegen.diagnostics.codes import Code
from codegen.program.names import Names, Symbol
from codegen.program.nodes import (
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    FunctionPath,
    Initializer,
    Items,
    SpecEntry,
    Value,
)
from codegen.schema.nodes import EnumDecl
from codegen.schema.paths import split_path
from codegen.schema.scope import did_you_mean, import_help
from codegen.schema.vocabulary import DTYPES, INITIALIZERS, Word
from codegen.source import Span
from codegen.syntax import nodes as syntax


def resolve_value(names: Names, expr: syntax.Expr) -> Value | None:
    """Return the value of a default, or None after a report."""
    match expr:
        case syntax.Constant(value=value) if value is not ...:
            return Constant(value, expr.span)
        case syntax.Constant():
            return None  # `...`: reported when the class was read
        case syntax.Unary(operand=syntax.Constant(value=int() | float() | complex() as number)):
            if not isinstance(number, bool):
                return Constant(-number if expr.operator == "-" else number, expr.span)
        case syntax.Binary(operator="+" | "-"):
            return _complex(names, expr)
        case syntax.Tuple():
            items = _values(names, expr.items)
            return None if items is None else Items("tuple", items, expr.span)
        case syntax.Attribute(value=syntax.Name() as head):
            return _member(names, expr, head)
        case syntax.Call(function=syntax.Name() as head):
            return _call(names, expr, head)
        case syntax.Name():
            return _name(names, expr)
        case _:
            pass
    return _not_a_value(names, expr.span)


def _not_a_value(names: Names, span: Span, help: str = "") -> None:
    names.scope.add(
        Code.WRONG_DEFAULT,
        span,
        "this cannot be a default",
        "",
        help
        or "defaults are literals, enum members, static classes called with such, tuples, "
        "`frozenset(...)` and `frozendict(...)` of these, and dtypes by name",
    )


def _complex(names: Names, expr: syntax.Binary) -> Value | None:
    """`1 + 2j` is how Python writes a complex literal."""
    left, right = resolve_value(names, expr.left), resolve_value(names, expr.right)
    if left is None or right is None:
        return None
    if (
        isinstance(left, Constant)
        and isinstance(right, Constant)
        and isinstance(left.value, int | float)
        and isinstance(right.value, complex)
    ):
        sign = 1 if expr.operator == "+" else -1
        return Constant(complex(left.value, sign * right.value.imag), expr.span)
    return _not_a_value(names, expr.span, "a default is written out, not computed")


def _values(names: Names, exprs: tuple[syntax.Expr, ...]) -> tuple[Value, ...] | None:
    values = [resolve_value(names, expr) for expr in exprs]
    found = tuple(v for v in values if v is not None)
    return found if len(found) == len(values) else None


def _member(names: Names, expr: syntax.Attribute, head: syntax.Name) -> Value | None:
    meaning = names.find(head.id)
    if not isinstance(meaning, Symbol) or not isinstance(meaning.decl, EnumDecl):
        if meaning is None:
            names.scope.add(
                Code.UNKNOWN_NAME,
                head.span,
                f"`{head.id}` is not defined",
                "",
                did_you_mean(head.id, names.candidates("enum"), "declare it, or import it"),
            )
            return None
        return _not_a_value(names, expr.span)
    members = [m.name for m in meaning.decl.members]
    if expr.name not in members:
        names.scope.add(
            Code.UNKNOWN_NAME,
            expr.name_span,
            f"the enum `{head.id}` has no member `{expr.name}`",
            "",
            did_you_mean(expr.name, members),
        )
        return None
    return EnumMember(meaning.ref, expr.name, expr.span)


def _name(names: Names, expr: syntax.Name) -> Value | None:
    meaning = names.find(expr.id)
    if isinstance(meaning, Word) and meaning.kind == "dtype":
        return DTypeName(DTYPES[meaning.name], expr.id, expr.span)
    if isinstance(meaning, Word) and meaning.name == "bool":
        return DTypeName("bool", expr.id, expr.span)
    if isinstance(meaning, Word) and meaning.kind == "unknown":
        return None
    if meaning is None:
        names.scope.add(
            Code.MISSING_IMPORT if expr.id in DTYPES else Code.UNKNOWN_NAME,
            expr.span,
            f"`{expr.id}` is not " + ("imported" if expr.id in DTYPES else "defined"),
            "",
            import_help(expr.id) or did_you_mean(expr.id, names.candidates("enum", "class")),
        )
        return None
    return _not_a_value(names, expr.span)


def _call(names: Names, expr: syntax.Call, head: syntax.Name) -> Value | None:
    meaning = names.find(head.id)
    if isinstance(meaning, Symbol) and meaning.kind == "class":
        arguments = _values(names, expr.arguments)
        keywords = _keywords(names, expr)
        if arguments is None or keywords is None:
            return None
        return Construction(meaning.ref, arguments, keywords, expr.span)
    if isinstance(meaning, Word) and meaning.name == "frozenset":
        return _frozenset(names, expr)
    if isinstance(meaning, Word) and meaning.kind == "frozendict":
        return _frozendict(names, expr)
    if meaning is None:
        names.scope.add(
            Code.UNKNOWN_NAME,
            head.span,
            f"`{head.id}` is not defined",
            "",
            import_help(head.id) or did_you_mean(head.id, names.candidates("class")),
        )
        return None
    return _not_a_value(names, expr.span)


def _keywords(names: Names, expr: syntax.Call) -> tuple[tuple[str, Value], ...] | None:
    values = _values(names, tuple(k.value for k in expr.keywords))
    if values is None:
        return None
    return tuple(zip((k.name for k in expr.keywords), values, strict=True))


def _frozenset(names: Names, expr: syntax.Call) -> Value | None:
    items = expr.arguments
    if not items and not expr.keywords:
        return Items("frozenset", (), expr.span)
    if len(items) == 1 and isinstance(items[0], syntax.Tuple | syntax.List) and not expr.keywords:
        values = _values(names, items[0].items)
        return None if values is None else Items("frozenset", values, expr.span)
    return _not_a_value(names, expr.span, "write `frozenset((1, 2))`")


def _frozendict(names: Names, expr: syntax.Call) -> Value | None:
    pairs: list[tuple[Value, Value]] = []
    for key, value in _entries(expr):
        resolved_key = Constant(key, value.span) if isinstance(key, str) else resolve_value(names, key)
        resolved = resolve_value(names, value)
        if resolved is None or resolved_key is None:
            return None
        pairs.append((resolved_key, resolved))
    if len(expr.arguments) > 1 or (expr.arguments and not isinstance(expr.arguments[0], syntax.Dict)):
        return _not_a_value(names, expr.span, 'write `frozendict({"a": 1})` or `frozendict(a=1)`')
    return Entries(tuple(pairs), expr.span)


def _entries(expr: syntax.Call) -> list[tuple[syntax.Expr | str, syntax.Expr]]:
    entries: list[tuple[syntax.Expr | str, syntax.Expr]] = []
    for argument in expr.arguments:
        if isinstance(argument, syntax.Dict):
            entries.extend(argument.entries)
    entries.extend((keyword.name, keyword.value) for keyword in expr.keywords)
    return entries


# --- options of fields


def resolve_path(names: Names, expr: syntax.Expr) -> FunctionPath | None:
    """Return the function that `"module:function"` names, or None after a report."""
    place = split_path(expr)
    if place is None:
        names.scope.add(
            Code.WRONG_PATH,
            expr.span,
            "this is not the place of a function",
            'expected "module:function"',
            'write it as one string, such as "heat_model:step"',
        )
        return None
    return FunctionPath(*place, expr.span)


def resolve_initializer(names: Names, expr: syntax.Expr) -> Initializer | FunctionPath | None:
    """Return what `init=` names, or None after a report."""
    if isinstance(expr, syntax.Constant) and isinstance(expr.value, str) and ":" in expr.value:
        return resolve_path(names, expr)
    head = expr.function if isinstance(expr, syntax.Call) else expr
    name = head.id if isinstance(head, syntax.Name) else getattr(head, "value", None)
    if not isinstance(name, str) or name not in INITIALIZERS:
        names.scope.add(
            Code.UNKNOWN_INITIALIZER,
            head.span,
            f"`{name}` is not an initializer" if isinstance(name, str) else "not an initializer",
            "",
            did_you_mean(
                name if isinstance(name, str) else "",
                list(INITIALIZERS),
                "name one of `jax.nn.initializers`, or a function as \"module:function\"",
            ),
        )
        return None
    if not isinstance(expr, syntax.Call):
        return Initializer(name, None, (), expr.span)
    arguments, keywords = _values(names, expr.arguments), _keywords(names, expr)
    if arguments is None or keywords is None:
        return None
    return Initializer(name, arguments, keywords, expr.span)


def resolve_spec(names: Names, expr: syntax.Expr) -> tuple[SpecEntry, ...] | None:
    """Return the entries of a PartitionSpec, or None after a report."""
    items = expr.items if isinstance(expr, syntax.Tuple) else (expr,)
    entries: list[SpecEntry] = []
    for item in items:
        axes = item.items if isinstance(item, syntax.Tuple) else (item,)
        values = [a.value if isinstance(a, syntax.Constant) else ... for a in axes]
        strings = tuple(v for v in values if isinstance(v, str))
        if values == [None] and not isinstance(item, syntax.Tuple):
            entries.append(None)
        elif len(strings) == len(values):
            entries.append(strings if isinstance(item, syntax.Tuple) else strings[0])
        else:
            names.scope.add(
                Code.WRONG_OPTION,
                item.span,
                "an entry of `spec` is a mesh axis, a tuple of them, or `None`",
                "",
                'write `spec=("rows", None)`',
            )
            return None
    return tuple(entries)
