"""Sums and products of dimensions in one order, whatever order they were written in.

ordered(n + 1, lambda dim: dim)    ->    1 + n
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec.structs import replace

from codegen.program import types
from codegen.program.show import dim_text
from codegen.program.types import Dim


def ordered(dim: Dim, change: Callable[[Dim], Dim]) -> Dim:
    """Change every part of a dimension, and put sums and products in order."""
    match dim:
        case types.DimSum(operator="+" | "*" as operator):
            # `n + 1` is `1 + n`: whatever the order is, the sum is the same.
            return _joined(operator, sorted(map(change, _operands(dim, operator)), key=dim_text))
        case types.DimSum():
            return replace(dim, left=change(dim.left), right=change(dim.right))
        case _:
            return dim


def _joined(operator: Literal["+", "*"], operands: Sequence[Dim]) -> Dim:
    """One tree of operands, the same for the same; a flat one would be deeper than Python's stack."""
    if len(operands) == 1:
        return operands[0]
    middle = len(operands) // 2
    left, right = _joined(operator, operands[:middle]), _joined(operator, operands[middle:])
    return types.DimSum(operator, left, right)


def _operands(dim: Dim, operator: str) -> tuple[Dim, ...]:
    """What is added up, or multiplied, however it is bracketed."""
    if isinstance(dim, types.DimSum) and dim.operator == operator:
        return (*_operands(dim.left, operator), *_operands(dim.right, operator))
    return (dim,)
