"""What is said where a default names what only an import could bring.

imported_help(names, <math.pi>)     ->    "a number is written out: write `3.14...`"
imported_help(names, <-np.inf>)     ->    "infinity and NaN have no literal: ..."
imported_help(names, <Scheme.A>)    ->    ""
"""

from __future__ import annotations

import ast
import math
from typing import Final

from codegen.diagnostics.suggest import suggest
from codegen.program.names import Names, Outside, Symbol
from codegen.schema.habits import MODULES_BY_HABIT
from codegen.schema.stub import name_of
from codegen.schema.vocabulary import HOME_OF_WORD

NO_LITERAL: Final = "infinity and NaN have no literal: take `float | None = None`"
NOTHING_IMPORTED: Final = (
    "what is imported is a default of static fields alone: write the value out, or leave the "
    "default out"
)
NOTHING_CALLED: Final = (
    "a default calls nothing of Python: write the value out, or leave the default out; a field may "
    'have `field(factory="module:function")`'
)
_INFINITE: Final = frozenset(
    ("Inf", "Infinity", "NAN", "NINF", "NaN", "PINF", "inf", "infty", "nan")
)
_NUMBERS: Final = {"e": math.e, "pi": math.pi, "tau": math.tau}
# Where these are called so; elsewhere `e` may be the charge of an electron.
_MODULES: Final = ("cmath", "jax.numpy", "math", "numpy")


def imported_help(names: Names, expr: ast.expr) -> str:
    """What to write for a number of another module, with its sign; empty for anything else."""
    sign = ""
    while isinstance(expr, ast.UnaryOp):
        sign = "-" if isinstance(expr.op, ast.USub) != bool(sign) else ""
        expr = expr.operand
    if _is_float_call(expr):
        return NO_LITERAL if sign else ""
    module, name = _place(names, expr)
    if name in _INFINITE:
        return NO_LITERAL
    if name in _NUMBERS and module in _MODULES:
        return f"a number is written out: write `{sign}{_NUMBERS[name]!r}`"
    return ""


def is_module(names: Names, expr: ast.expr) -> bool:
    """Whether an expression is a Python module, or would be one if it were imported."""
    while isinstance(expr, ast.Attribute):
        expr = expr.value
    if not isinstance(expr, ast.Name):
        return False
    name, meaning = expr.id, names.find(expr.id)
    if meaning is not None or name in HOME_OF_WORD or not name[:1].islower():
        return isinstance(meaning, Outside)
    enums = (n for n, m in names.meanings.items() if isinstance(m, Symbol) and m.kind == "enum")
    return suggest(name, enums) is None


def _is_float_call(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Call) and name_of(expr.func) == "float"


def _place(names: Names, expr: ast.expr) -> tuple[str, str]:
    """The module that has a name, as far as it is known, and the name there."""
    if isinstance(expr, ast.Name):
        meaning = names.find(expr.id)
        if isinstance(meaning, Outside):
            return meaning.module, meaning.attribute
        # Without an import one letter is too little to tell.
        return ("math", expr.id) if meaning is None and len(expr.id) > 1 else ("", "")
    if not isinstance(expr, ast.Attribute) or not is_module(names, expr.value):
        return "", ""
    if not isinstance(expr.value, ast.Name):
        return "", expr.attr
    meaning = names.find(expr.value.id)
    if isinstance(meaning, Outside):
        return ".".join(filter(None, (meaning.module, meaning.attribute))), expr.attr
    return MODULES_BY_HABIT.get(expr.value.id, expr.value.id), expr.attr
