"""Turn the expressions of defaults into values.

Attribute(Name("Scheme"), "EXPLICIT")    ->    EnumMember(Ref("heat", "Scheme"), "EXPLICIT")
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import EllipsisType
from typing import Literal, TypeAlias

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.names import NameTable, Outside, Symbol
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
from codegen.schema.nodes import Alias, Enum
from codegen.schema.scope import listed
from codegen.schema.stub import dotted, head, name_of
from codegen.schema.vocabulary import DTYPES, HOME_OF_WORD, INITIALIZERS, Word

Place: TypeAlias = Literal["", "array", "static"]

# A longer call is not repeated in what is advised.
_SHORT = 40
_LEGAL = (
    "defaults are literals, members of enums, static classes called with such, tuples, "
    "`frozenset(...)` and `frozendict(...)` of these, dtypes by name, and of static fields what is "
    "imported absolutely"
)


def resolve_value(names: NameTable, expr: ast.expr, place: Place = "") -> Value | None:
    """The value of a default, or None after a report.

    `place` says of what: a static field or argument takes what is imported, too; of an array
    `field(init=...)` could make what is meant.
    """
    span = names.scope.source.span(expr)
    match expr:
        case ast.Constant(value=value):
            if not isinstance(value, EllipsisType):
                return Constant(value, span)
            _ellipsis(names, expr)
            return None
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() | complex() as number)):
            if not isinstance(number, bool):
                return Constant(-number if isinstance(expr.op, ast.USub) else number, span)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return _complex(names, expr)
        case ast.Tuple():
            items = resolve_values(names, expr.elts, place)
            return None if items is None else Collection("tuple", items, span)
        case ast.Attribute():
            return _attribute(names, expr, place)
        case ast.Call(func=ast.Name() as head):
            return _call(names, expr, head, place)
        case ast.Call(func=ast.Attribute(attr=name) as made):
            otherwise = NOTHING_CALLED if is_module(names, made.value) else ""
            _not_a_value(names, expr, _made_help(name, place) or otherwise)
            return None
        case ast.Name():
            return _name(names, expr, place)
        case _:
            pass
    _not_a_value(names, expr, imported_help(names, expr))
    return None


def resolve_values(
    names: NameTable, exprs: Iterable[ast.expr], place: Place = ""
) -> tuple[Value, ...] | None:
    """The values of several expressions, or None after a report."""
    # A part of an array's default is not what `init` would make.
    values = [resolve_value(names, expr, "static" if place == "static" else "") for expr in exprs]
    found = tuple(value for value in values if value is not None)
    return found if len(found) == len(values) else None


def resolve_keywords(
    names: NameTable, call: ast.Call, place: Place = ""
) -> tuple[tuple[str, Value], ...] | None:
    """The values of a call's keywords, or None after a report."""
    values = resolve_values(names, (keyword.value for keyword in call.keywords), place)
    if values is None:
        return None
    return tuple(zip((keyword.arg or "" for keyword in call.keywords), values, strict=True))


def _ellipsis(names: NameTable, expr: ast.expr) -> None:
    names.scope.add(
        Code.ELLIPSIS_DEFAULT,
        expr,
        "a default is `...`",
        label="no value of the language",
        advice="ruff's rule PYI015 turns the defaults of stubs into `...`: write the value again, "
        "and switch the rules PYI off for the schema folder, as `codegen init` does",
    )


def _not_a_value(names: NameTable, expr: ast.expr, advice: str = "") -> None:
    match expr:
        case ast.List():
            advice = (
                advice or "a list is mutable: write a tuple, `(a, b)`, or for an array one number"
            )
        case ast.Dict():
            advice = advice or 'a dict is mutable: write `frozendict({"a": 1})`'
        case ast.Call(func=ast.Name(id="float" | "int" | "complex")):
            advice = f"write the number itself; {NO_LITERAL}"
        case ast.BinOp():
            advice = advice or "a default is written out, not computed: write the result"
        case _:
            pass
    names.scope.add(
        Code.WRONG_DEFAULT,
        expr,
        "this cannot be a default",
        label="not a value of the language",
        advice=advice or _LEGAL,
    )


def _complex(names: NameTable, expr: ast.BinOp) -> Value | None:
    """`1 + 2j` is how Python writes a complex literal."""
    match expr.left, expr.right:
        case (
            ast.Constant(value=int() | float()) | ast.UnaryOp(operand=ast.Constant()) as real,
            ast.Constant(value=complex() as imaginary),
        ):
            left = resolve_value(names, real)
            if isinstance(left, Constant) and isinstance(left.value, int | float):
                sign = 1 if isinstance(expr.op, ast.Add) else -1
                span = names.scope.source.span(expr)
                return Constant(complex(left.value, sign * imaginary.imag), span)
        case _:
            pass
    _not_a_value(names, expr)
    return None


def _attribute(names: NameTable, expr: ast.Attribute, place: Place) -> Value | None:
    """A member of an enum, or what a Python module holds."""
    head = expr.value
    meaning = names.find(name_of(head))
    if found := _imported(names, expr, place):
        return found
    if is_module(names, head):
        number = imported_help(names, expr)
        _not_a_value(names, expr, number or _outside_help(expr.attr, place))
    elif isinstance(head, ast.Name) and meaning is None:
        _unknown(names, head, "enum")
    elif isinstance(meaning, Symbol) and isinstance(meaning.decl, Enum):
        members = [member.name for member in meaning.decl.members]
        if expr.attr in members:
            return EnumMember(meaning.ref, expr.attr, names.scope.source.span(expr))
        names.scope.add(
            Code.UNKNOWN_NAME,
            names.scope.source.name_span(expr),
            f"the enum `{meaning.ref.name}` has no member `{expr.attr}`",
            label="unknown member",
            advice=did_you_mean(expr.attr, members, "declare it in the enum"),
        )
    elif not (isinstance(meaning, Word) and meaning.kind == "unknown"):
        _not_a_value(names, expr)
    return None


def _imported(names: NameTable, expr: ast.expr, place: Place) -> Imported | None:
    """What an absolutely imported name stands for in a static place; None for a number or a dtype."""
    if place != "static" or imported_help(names, expr):
        return None
    path = dotted(expr)
    meaning = names.find(path[0])
    if not isinstance(meaning, Outside):
        return None
    if meaning.attribute:
        module, name = meaning.module, ".".join([meaning.attribute, *path[1:]])
    else:
        module, name = names.below(meaning.module, path)
    if not name or name.rpartition(".")[2] in DTYPES.values():
        return None
    source = names.scope.source
    return Imported(module, name, source.text_of(expr), source.span(expr))


_NO_ARRAY = "an array is no default here: leave it out"
# What makes arrays, and the initializer that does the same.
_MAKERS = {"empty": '"zeros"', "full": "constant(value)", "ones": '"ones"', "zeros": '"zeros"'}
_ARRAYS = ("arange", "array", "asarray", "eye", "linspace")


def _init_help(name: str, place: Place, call: str = "") -> str:
    """What to write for an initializer in the place of a default; empty for anything else."""
    if name not in INITIALIZERS:
        return ""
    if place != "array":
        return _NO_ARRAY
    written = f"{name}{call}" if call and INITIALIZERS[name] else f'"{name}"'
    return f"an initializer is an option of its field: write `field(init={written})`"


def _made_help(name: str, place: Place) -> str:
    """What to write for `jnp.zeros(3)`; empty for a call of anything else."""
    if name in _ARRAYS or (name in _MAKERS and place != "array"):
        return _NO_ARRAY
    if name not in _MAKERS:
        return ""
    return f"write `field(init={_MAKERS[name]})`, which has the field's own shape"


def _outside_help(name: str, place: Place) -> str:
    if advice := _init_help(name, place):
        return advice
    short = next((short for short, long in DTYPES.items() if long == name), "")
    if short:
        return f"a dtype is written `{short}`"
    return NOTHING_IMPORTED


def _name(names: NameTable, expr: ast.Name, place: Place) -> Value | None:
    meaning = names.find(expr.id)
    if found := _imported(names, expr, place):
        return found
    if isinstance(meaning, Word) and meaning.kind == "dtype" and meaning.name != "key":
        return DTypeName(DTYPES[meaning.name], expr.id, names.scope.source.span(expr))
    if isinstance(meaning, Word) and meaning.name == "bool":
        return DTypeName("bool", expr.id, names.scope.source.span(expr))
    number = imported_help(names, expr)
    if number:
        _not_a_value(names, expr, number)
    elif meaning is None:
        advice = _init_help(expr.id, place) or _member_help(names, expr.id)
        _unknown(names, expr, "enum", "class", "dtype", advice=advice)
    elif isinstance(meaning, Symbol) and meaning.kind in ("class", "enum"):
        form = f"{expr.id}(...)" if meaning.kind == "class" else f"{expr.id}.MEMBER"
        _not_a_value(names, expr, f"write `{form}`")
    elif isinstance(meaning, Outside):
        _not_a_value(names, expr, _outside_help(expr.id, place))
    elif not (isinstance(meaning, Word) and meaning.kind == "unknown"):
        _not_a_value(names, expr)
    return None


def _call(names: NameTable, expr: ast.Call, head: ast.Name, place: Place) -> Value | None:
    meaning = names.find(head.id)
    if isinstance(meaning, Symbol) and meaning.kind == "class":
        arguments = resolve_values(names, expr.args, place)
        keywords = resolve_keywords(names, expr, place)
        if arguments is None or keywords is None:
            return None
        return Construction(meaning.ref, arguments, keywords, names.scope.source.span(expr))
    if isinstance(meaning, Word) and meaning.name == "frozenset":
        return _frozenset(names, expr, place)
    if isinstance(meaning, Word) and meaning.kind == "frozendict":
        return _frozendict(names, expr, place)
    if meaning is None:
        advice = _init_help(head.id, place, names.scope.after(head, expr))
        _unknown(names, head, "class", advice=advice)
    elif isinstance(meaning, Outside):
        _not_a_value(names, expr, _made_help(head.id, place) or NOTHING_CALLED)
    elif isinstance(meaning, Symbol) and meaning.kind == "alias":
        _not_a_value(names, expr, _alias_help(names, expr, head.id, meaning))
    elif not (isinstance(meaning, Word) and meaning.kind == "unknown"):
        _not_a_value(names, expr)
    return None


def _alias_help(names: NameTable, call: ast.Call, alias: str, symbol: Symbol) -> str:
    """What to write for the call of an alias; empty for one of something else than a class."""
    meaning: object = symbol
    name, module = alias, names.module.name
    passed: set[str] = set()
    while isinstance(meaning, Symbol) and isinstance(meaning.decl, Alias):
        type = meaning.decl.type
        named = name_of(head(type))
        if not named or named in passed:
            return ""
        name, module = named, meaning.ref.module
        passed.add(name)
        # What an alias of another module names, only that module knows.
        meaning = names.find(name) if module == names.module.name else None
    is_here = module == names.module.name
    if is_here and not (isinstance(meaning, Symbol) and meaning.kind == "class"):
        return ""
    text = names.scope.after(call.func, call)
    written = f"`{name}{text if len(text) <= _SHORT else '(...)'}`"
    from_there = "" if is_here else f", of `{module}`"
    return f"write {written}{from_there}: `{alias}` is an alias of it"


def _member_help(names: NameTable, name: str) -> str:
    """What to write for a member without its enum; empty where no enum has it."""
    enums = [
        f"{local}.{name}"
        for local, meaning in names.meanings.items()
        if isinstance(meaning, Symbol)
        and isinstance(meaning.decl, Enum)
        and any(member.name == name for member in meaning.decl.members)
    ]
    return f"a member is named with its enum: write {listed(enums, 'or')}" if enums else ""


def _frozenset(names: NameTable, expr: ast.Call, place: Place) -> Value | None:
    span = names.scope.source.span(expr)
    match expr:
        case ast.Call(args=[], keywords=[]):
            return Collection("frozenset", (), span)
        case ast.Call(
            args=[ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts)], keywords=[]
        ):
            values = resolve_values(names, elts, place)
            return None if values is None else Collection("frozenset", values, span)
        case _:
            pass
    _not_a_value(names, expr, "write `frozenset((1, 2))`, or `frozenset(())` for the empty one")
    return None


def _frozendict(names: NameTable, expr: ast.Call, place: Place) -> Value | None:
    if len(expr.args) > 1 or not all(isinstance(a, ast.Dict) for a in expr.args):
        _not_a_value(names, expr, 'write `frozendict({"a": 1})` or `frozendict(a=1)`')
        return None
    written = [one for one in expr.args if isinstance(one, ast.Dict)]
    keys = resolve_values(names, (key for one in written for key in one.keys if key), place)
    values = resolve_values(names, (value for one in written for value in one.values), place)
    keywords = resolve_keywords(names, expr, place)
    if keys is None or values is None or keywords is None:
        return None
    named = [
        (Constant(keyword.arg, names.scope.source.name_span(keyword)), v)
        for keyword, (_, v) in zip(expr.keywords, keywords, strict=True)
    ]
    pairs = (*zip(keys, values, strict=True), *named)
    return Entries(pairs, names.scope.source.span(expr))


def _unknown(names: NameTable, head: ast.Name, *kinds: str, advice: str = "") -> None:
    if head.id in HOME_OF_WORD:
        names.scope.missing_import(head.id, head)
        return
    # Classes and enums have a capital, and small letters where they stand alone: others are values.
    is_value = head.id.islower() or ("dtype" in kinds and head.id.isupper())
    otherwise = "write the value out, or import it" if is_value else "declare it, or import it"
    names.scope.add_once(
        Code.UNKNOWN_NAME,
        head.id,
        head,
        f"`{head.id}` is not defined",
        label="unknown name",
        advice=advice or did_you_mean(head.id, names.candidates(*kinds), otherwise),
    )
