"""Resolve the expressions of defaults into values.

Attribute(Name("Scheme"), "EXPLICIT")    ->    EnumMember(Ref("heat", "Scheme"), "EXPLICIT")
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import EllipsisType
from typing import Final, Literal, TypeAlias

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.names import ExternalName, NameTable, Symbol
from codegen.program.nodes import (
    Collection,
    Constant,
    Construction,
    DTypeName,
    Entries,
    EnumMember,
    Imported,
    Value,
)
from codegen.program.unknown import (
    NO_LITERAL,
    NOTHING_CALLED,
    NOTHING_IMPORTED,
    imported_help,
    is_module,
)
from codegen.schema.nodes import Enum
from codegen.schema.scope import Refused, each, option_value
from codegen.schema.vocabulary import DTYPES, INITIALIZERS, SHORT_DTYPES, LanguageWord

Place: TypeAlias = Literal["", "array", "static"]

_LEGAL = (
    "a default can be a literal, a member of an enum, a call of a static class, a dtype, "
    "or a tuple, `frozenset(...)` or `frozendict(...)` of these. A static field can also "
    "have a name that is imported from a Python module"
)


def resolve_value(names: NameTable, expr: ast.expr, place: Place = "") -> Value:
    """Return the value of a default.

    `place` states where the value is used. A static field or argument also takes imported values.
    For an array, the intended value may need `field(init=...)`.

    Raises:
        Refused: if the expression is no value, which is reported.
    """
    span = names.source.span(expr)
    match expr:
        case ast.Constant(value=value):
            if not isinstance(value, EllipsisType):
                return Constant(value, span=span)
            raise names.refused(
                Code.ELLIPSIS_DEFAULT,
                expr,
                "`...` is not a default",
                label="not a value of the schema language",
                advice="write the value. If ruff's rule PYI015 replaced the value with `...`, turn "
                "off the PYI rules for the schema folder, as `codegen init` does",
            )
        case ast.UnaryOp() | ast.BinOp():
            # A sign, and `1 + 2j`, which is how Python writes a complex literal.
            number = option_value(expr)
            if isinstance(number, int | float | complex):
                return Constant(number, span=span)
        case ast.Tuple():
            return Collection("tuple", resolve_values(names, expr.elts, place), span=span)
        case ast.Attribute():
            return _attribute(names, expr, place)
        case ast.Call(func=ast.Name() as head):
            return _call(names, expr, head, place)
        case ast.Call(func=ast.Attribute(attr=name) as func):
            otherwise = NOTHING_CALLED if is_module(names, func.value) else ""
            raise _refuse_value(names, expr, _array_help(name, place) or otherwise)
        case ast.Name():
            return _name(names, expr, place)
        case _:
            pass
    raise _refuse_value(names, expr, imported_help(names, expr))


def resolve_values(
    names: NameTable, exprs: Iterable[ast.expr], place: Place = ""
) -> tuple[Value, ...]:
    """Return the values of several expressions."""
    # `init` cannot create a part of an array's default.
    inner: Place = "static" if place == "static" else ""
    return each(lambda expr: resolve_value(names, expr, inner), exprs)


def resolve_call(
    names: NameTable, call: ast.Call, place: Place = ""
) -> tuple[tuple[Value, ...], tuple[tuple[str, Value], ...]]:
    """Return the values of a call's arguments and of its keywords."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    values, count = resolve_values(names, arguments, place), len(call.args)
    keywords = (keyword.arg or "" for keyword in call.keywords)
    return values[:count], tuple(zip(keywords, values[count:], strict=True))


def _refuse_value(names: NameTable, expr: ast.expr, advice: str = "") -> Refused:
    match expr:
        case ast.List():
            advice = advice or (
                "a list is mutable: write a tuple, `(a, b)`. For an array, write a single number"
            )
        case ast.Dict():
            advice = advice or 'a dict is mutable: write `frozendict({"a": 1})`'
        case ast.Call(func=ast.Name(id="float" | "int" | "complex")):
            advice = f"write the number itself; {NO_LITERAL}"
        case ast.BinOp():
            advice = advice or "a default cannot be computed: write the result"
        case _:
            pass
    return refuse_default(names, expr, advice or _LEGAL)


def refuse_default(names: NameTable, expr: ast.expr, advice: str) -> Refused:
    """Refuse an expression that is not a default."""
    is_computed = isinstance(expr, ast.BinOp)
    return names.refused(
        Code.WRONG_DEFAULT,
        expr,
        "this cannot be a default",
        label="expected a literal" if is_computed else "not a value of the schema language",
        advice=advice,
    )


def _attribute(names: NameTable, expr: ast.Attribute, place: Place) -> Value:
    """Resolve a member of an enum, or an attribute of a Python module."""
    head = expr.value
    if imported := _imported(names, expr, place):
        return imported
    if is_module(names, head):
        number = imported_help(names, expr)
        raise _refuse_value(names, expr, number or _attribute_help(expr.attr, place))
    if isinstance(head, ast.Name) and names.find(head) is None:
        raise _refuse_unknown(names, head, "enum")
    symbol = names.symbol(head, "enum")
    if symbol is None or not isinstance(symbol.decl, Enum):
        raise _refuse_attribute(names, head, expr)
    members = [member.name for member in symbol.decl.members]
    if expr.attr not in members:
        raise names.refused(
            Code.UNKNOWN_NAME,
            names.source.name_span(expr),
            f"the enum `{symbol.ref.name}` has no member `{expr.attr}`",
            label="unknown member",
            advice=did_you_mean(expr.attr, members, f"declare `{expr.attr}` in the enum"),
        )
    return EnumMember(symbol.ref, expr.attr, span=names.source.span(expr))


def _refuse_attribute(
    names: NameTable, head: ast.expr, expr: ast.expr, advice: str = ""
) -> Refused:
    """Refuse an expression, unless the import of its first name was refused."""
    if names.is_refused(head):
        return Refused()
    return _refuse_value(names, expr, advice)


def _imported(names: NameTable, expr: ast.expr, place: Place) -> Imported | None:
    """Return an absolutely imported name as a static value; None for a number or a dtype."""
    if place != "static" or imported_help(names, expr):
        return None
    external = names.external(expr)
    name = external.attribute if external else ""
    if not external or not name or name.rpartition(".")[2] in SHORT_DTYPES:
        return None
    return Imported(external.module, name, names.source.text_of(expr), span=names.source.span(expr))


# Functions that create arrays.
_MAKERS: Final = frozenset(
    ("arange", "array", "asarray", "empty", "eye", "full", "linspace", *INITIALIZERS)
)


def _array_help(name: str, place: Place) -> str:
    """Return the advice for `jnp.zeros(3)`, or for an initializer; empty for anything else."""
    if name not in _MAKERS:
        return ""
    if place != "array":
        return "an array cannot be a default here: remove the default"
    init = name if name in INITIALIZERS else "zeros"
    return f'write an initializer, `field(init="{init}")`, which uses the shape of the field'


def _attribute_help(name: str, place: Place) -> str:
    if name in SHORT_DTYPES:
        return f"write the dtype as `{SHORT_DTYPES[name]}`"
    return _array_help(name, place) or NOTHING_IMPORTED


def _name(names: NameTable, expr: ast.Name, place: Place) -> Value:
    meaning = names.find(expr)
    if imported := _imported(names, expr, place):
        return imported
    if isinstance(meaning, LanguageWord):
        dtype = "bool" if meaning.name == "bool" else ""
        if meaning.kind == "dtype" and meaning.name != "key":
            dtype = DTYPES[meaning.name]
        if dtype:
            return DTypeName(dtype, expr.id, span=names.source.span(expr))
    advice = imported_help(names, expr)
    if not advice and meaning is None:
        advice = _array_help(expr.id, place)
        raise _refuse_unknown(names, expr, "enum", "class", "dtype", advice=advice)
    if not advice and isinstance(meaning, Symbol) and meaning.kind in ("class", "enum"):
        advice = f"write `{expr.id}{'(...)' if meaning.kind == 'class' else '.MEMBER'}`"
    if not advice and isinstance(meaning, ExternalName):
        advice = _attribute_help(expr.id, place)
    raise _refuse_attribute(names, expr, expr, advice)


def _call(names: NameTable, expr: ast.Call, head: ast.Name, place: Place) -> Value:
    meaning = names.find(head)
    advice = ""
    match meaning:
        case Symbol(kind="class"):
            arguments, keywords = resolve_call(names, expr, place)
            return Construction(meaning.ref, arguments, keywords, span=names.source.span(expr))
        case LanguageWord(name="frozenset"):
            return _frozenset(names, expr, place)
        case LanguageWord(name="frozendict"):
            return _frozendict(names, expr, place)
        case None:
            advice = _array_help(head.id, place)
            raise _refuse_unknown(names, head, "class", advice=advice)
        case ExternalName():
            advice = _array_help(head.id, place) or NOTHING_CALLED
        case Symbol(kind="alias"):
            advice = f"`{head.id}` is an alias: call the class itself, by its own name"
        case _:
            pass
    raise _refuse_attribute(names, head, expr, advice)


def _frozenset(names: NameTable, expr: ast.Call, place: Place) -> Value:
    span = names.source.span(expr)
    match expr:
        case ast.Call(args=[], keywords=[]):
            return Collection("frozenset", (), span=span)
        case ast.Call(
            args=[ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts)], keywords=[]
        ):
            return Collection("frozenset", resolve_values(names, elts, place), span=span)
        case _:
            advice = "write `frozenset((1, 2))`, or `frozenset(())` for the empty one"
            raise _refuse_value(names, expr, advice)


def _frozendict(names: NameTable, expr: ast.Call, place: Place) -> Value:
    keys: list[ast.expr] = []
    values = [keyword.value for keyword in expr.keywords]
    named = [Constant(one.arg, span=names.source.name_span(one)) for one in expr.keywords]
    match expr.args:
        case []:
            pass
        case [ast.Dict() as literal]:
            keys = [key for key in literal.keys if key]
            values = [*literal.values, *values]
        case _:
            raise _refuse_value(names, expr, 'write `frozendict({"a": 1})` or `frozendict(a=1)`')
    resolved = resolve_values(names, [*keys, *values], place)
    pairs = zip((*resolved[: len(keys)], *named), resolved[len(keys) :], strict=True)
    return Entries(tuple(pairs), span=names.source.span(expr))


def _refuse_unknown(names: NameTable, head: ast.Name, *kinds: str, advice: str = "") -> Refused:
    # A name in lower case is that of a value. So is a name in capitals, except that of an enum.
    is_value = head.id.islower() or ("dtype" in kinds and head.id.isupper())
    otherwise = (
        "write the value itself, or import it. A member of an enum is written with its enum"
        if is_value
        else "declare it, or import it"
    )
    advice = (
        advice
        or names.import_advice(head.id)
        or did_you_mean(head.id, names.candidates(*kinds), otherwise)
    )
    return names.report_undefined(head, advice)
