"""Report names and expressions that are not types, and advise what to write instead.

u: donated[f23[nx]]    ->    UNKNOWN_DTYPE: `f23` is not a dtype; did you mean `f32`?
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection
from typing import Final

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean, suggest
from codegen.program.names import ExternalName, NameTable, Symbol
from codegen.schema.scope import Refused
from codegen.schema.stub import dotted, name_of
from codegen.schema.vocabulary import (
    BUILTIN_TYPES,
    BUILTINS,
    DTYPES,
    HABITS,
    HOME_OF_WORD,
    KINDS,
    MODULES_BY_HABIT,
    SHORT_DTYPES,
    TYPING,
    replacement_advice,
    short_dtype,
)

# Kinds of meanings that are types, for suggestions.
_TYPES = (
    *("alias", "any", "bracketed", "builtin", "class", "dtype", "enum", "kind", "plain"),
    "type parameter",
)
_NUMPY = ("float", "int", "uint", "complex", "bfloat")


def report_unknown_type(names: NameTable, head: ast.Name) -> None:
    """Report an undefined name where a type is expected, once for each name."""
    name = head.id
    if name in BUILTIN_TYPES:
        names.add_once(
            Code.NOT_A_TYPE,
            name,
            head,
            f"`{name}` is not a type of the schema language",
            label="a Python builtin",
            advice=BUILTIN_TYPES[name],
        )
        return
    words = {*DTYPES, *KINDS}
    # An intended class starts with a capital. No builtin does.
    builtins = () if name[:1].isupper() else BUILTINS
    nearest = suggest(
        name, {*names.candidates(*_TYPES), *words, *TYPING} - {*BUILTINS} | {*builtins}
    )
    is_long = bool(short_dtype(name)) or name.rstrip("0123456789") in _NUMPY
    imported = names.import_advice(name)
    if not imported and name not in HABITS and (is_long or nearest in words):
        _unknown_dtype(names, head, "" if is_long else nearest or "")
        return
    otherwise = f"did you mean `{nearest}`?" if nearest else "declare it, or import it"
    names.report_undefined(head, imported or HABITS.get(name) or otherwise)


def may_be_dimension(names: NameTable, expr: ast.expr) -> bool:
    """Return whether an undefined name is more likely a dimension than a type."""
    name = name_of(expr)
    if not name[:1].islower() or names.find(name) is not None or short_dtype(name):
        return False
    types = {*names.candidates(*_TYPES), *DTYPES, *KINDS, *TYPING, *BUILTINS, *HOME_OF_WORD}
    return name not in {*HABITS, *BUILTIN_TYPES, *types} and suggest(name, types) is None


def _unknown_dtype(names: NameTable, head: ast.Name, nearest: str) -> None:
    """Report a misspelt dtype or kind; `nearest` is empty for one with NumPy's name."""
    advice = "write a dtype such as `f32`, `bf16`, `i32`, `u8`, `c64`, `bool` or `key`"
    if short := short_dtype(head.id) or nearest:
        advice = f"did you mean `{short}`?" if nearest else f"write `{short}`"
        if names.find(short) is None and short in HOME_OF_WORD:
            advice += f" (`from codegen.schema import {short}`)"
    message, label = f"`{head.id}` is not a dtype", "dtypes have the names that jaxprs use"
    names.add_once(Code.UNKNOWN_DTYPE, head.id, head, message, label, advice)


def refuse_type(names: NameTable, expr: ast.expr) -> Refused:
    """Report an expression that cannot be a type, whatever its names mean."""
    code = Code.NOT_A_TYPE
    match expr:
        case ast.Constant(value=str()):
            code = Code.QUOTED_ANNOTATION
            message, advice = "a type is written as a string", "remove the quotes"
        case ast.Constant():
            message = "this is a value, not a type"
            advice = "write the type of the value. For one fixed value, write `Literal[...]`"
        case ast.Tuple() | ast.List():
            message = "these are several types, not one"
            advice = "write `tuple[A, B]` for a value of each type, or `A | B` for one of them"
        case ast.Call():
            message = "this is a call, not a type"
            advice = "write the name without `(...)`. A type takes brackets, as in `f32[n]`"
        case ast.Name(id=name):
            message = f"`{name}` is not a type"
            advice = did_you_mean(
                name, names.candidates(*_TYPES), "write a type of the schema language"
            )
        case ast.Starred():
            message, advice = "`*` is not a type", "write `tuple[T, ...]` for any number"
        case ast.BinOp(op=op) if not isinstance(op, ast.BitOr):
            message = "this is arithmetic, not a type"
            advice = (
                "write arithmetic of sizes in brackets, `f32[n + 1]`. For a union of types, "
                "write `A | B`"
            )
        case _:
            message, advice = (
                "this is not a type",
                "write a type. For a union of types, write `A | B`",
            )
    return names.refused(code, expr, message, label="expected a type", advice=advice)


def refuse_unknown_module(
    names: NameTable, modules: Collection[str], root: str, expr: ast.Attribute, path: list[str]
) -> Refused:
    """Report `optax.OptState` without an import; `path` is the part after the root."""
    module = MODULES_BY_HABIT.get(root, root)
    *inner, last = [module, *path]
    if advice := replacement_advice(".".join(inner), last) or replacement_advice(module, last):
        # Its import would be refused: give the advice of that import here.
        return names.outside_language(
            expr,
            f"a schema cannot use `{module}.{'.'.join(path)}`",
            label="not usable in a schema",
            advice=advice,
        )
    package = names.module.name.rpartition(".")[0]
    if last in HABITS:
        advice = HABITS[last]
    elif last in SHORT_DTYPES:
        advice = f"write an array with its dtype and shape: `{SHORT_DTYPES[last]}[n]`"
    elif f"{package}.{root}".lstrip(".") in modules:
        advice = f"import the type of another schema by its name: `from .{root} import {last}`"
    else:
        advice = f"import the type by its name: `from {'.'.join(inner)} import {last}`"
    message = f"`{root}` is not defined"
    return names.refused(Code.UNKNOWN_NAME, expr, message, label="not imported", advice=advice)


NO_LITERAL: Final = "infinity and NaN have no literal: write `float | None = None`"
NOTHING_IMPORTED: Final = (
    "write the value itself, or remove the default: only the default of a static field can be an "
    "imported name"
)
NOTHING_CALLED: Final = (
    "a default cannot call a Python function. Write the value itself, or remove the "
    'default. A field can have `field(factory="module:function")`'
)
_INFINITE: Final = frozenset(
    ("Inf", "Infinity", "NAN", "NINF", "NaN", "PINF", "inf", "infty", "nan")
)
_NUMBERS: Final = {"e": math.e, "pi": math.pi, "tau": math.tau}
# The modules of these numbers. In other modules `e` may be the charge of an electron.
_MODULES: Final = ("cmath", "jax.numpy", "math", "numpy")


def imported_help(names: NameTable, expr: ast.expr) -> str:
    """Return the advice for a number of another module, with its sign; empty for anything else."""
    sign = ""
    while isinstance(expr, ast.UnaryOp):
        sign = "-" if isinstance(expr.op, ast.USub) != bool(sign) else ""
        expr = expr.operand
    if isinstance(expr, ast.Call):
        return NO_LITERAL if sign and name_of(expr.func) == "float" else ""
    *path, name = dotted(expr)
    root = path[0] if path else name
    if external := names.external(expr):
        module, _, name = f"{external.module}.{external.attribute}".rpartition(".")
    elif names.find(root) is None and len(name) > 1:
        module = "math"  # One letter is not enough to identify a number.
    else:
        return ""
    if name in _INFINITE:
        return NO_LITERAL
    if name in _NUMBERS and module in _MODULES:
        return f"write the number itself: `{sign}{_NUMBERS[name]!r}`"
    return ""


def is_module(names: NameTable, expr: ast.expr) -> bool:
    """Return whether an expression is a Python module, or would be one if it were imported."""
    while isinstance(expr, ast.Attribute):
        expr = expr.value
    if not isinstance(expr, ast.Name):
        return False
    name, meaning = expr.id, names.find(expr.id)
    if meaning is not None or not name[:1].islower():
        return isinstance(meaning, ExternalName)
    enums = (n for n, m in names.meanings.items() if isinstance(m, Symbol) and m.kind == "enum")
    return suggest(name, enums) is None
