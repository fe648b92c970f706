"""What a default comes to that is computed, for the advice to write it out.

computed(<4 / 9>)          ->    "0.4444444444444444"
computed(<(1 / 4, 2)>)     ->    "(0.25, 2)"
computed(<2 * jnp.pi>)     ->    ""
"""

from __future__ import annotations

from math import inf
from typing import Final

from codegen.syntax import nodes as syntax

# A longer number is no help.
_LENGTH_MAX: Final = 24
_NUMBER_MAX: Final = 10**_LENGTH_MAX


def computed(expr: syntax.Expr) -> str:
    """A number, or a tuple of numbers, written out; empty where it is none, or a long one."""
    if isinstance(expr, syntax.Tuple):
        items = [computed(item) for item in expr.items]
        comma = "," if len(items) == 1 else ""
        return f"({', '.join(items)}{comma})" if all(items) else ""
    number = _number(expr)
    text = "" if number is None else repr(number)
    return text if len(text) <= _LENGTH_MAX else ""


def is_computed(expr: syntax.Expr) -> bool:
    """Whether arithmetic stands in it, in tuples at any depth."""
    if isinstance(expr, syntax.Tuple):
        return any(is_computed(item) for item in expr.items)
    return isinstance(expr, syntax.Binary)


def _number(expr: syntax.Expr) -> float | None:
    match expr:
        case syntax.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case syntax.Unary():
            operand = _number(expr.operand)
            return -operand if operand is not None and expr.operator == "-" else operand
        case syntax.Binary():
            left, right = _number(expr.left), _number(expr.right)
            if left is None or right is None:
                return None
            try:
                result = _result(expr.operator, left, right)
            except (ZeroDivisionError, OverflowError):
                return None
            return result if result is not None and _is_short(result) else None
        case _:
            return None


def _is_short(number: float) -> bool:
    # A float is short however large it is; an int grows with every step.
    return abs(number) < (inf if number.__class__ is float else _NUMBER_MAX)


def _result(operator: str, left: float, right: float) -> float | None:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "//":
            return left // right
        case _:
            return None
