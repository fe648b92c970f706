"""Turn the items in an array's brackets into dimensions.

f32[nx + 1, *batch, 3]    ->    (DimSum("+", DimName("nx"), Size(1)), Batch("batch"), Size(3))
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.names import ExternalName, NameTable, Symbol
from codegen.program.types import AnyDim, AnyDims, Batch, Dim, DimName, DimSum, Size
from codegen.schema.nodes import Dimension
from codegen.schema.scope import Refused, each

_SIZE_MAX: Final = 2**63 - 1
_OPERATORS: Final[dict[type[ast.operator], Literal["+", "-", "*", "//"]]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
}
_FORMS = (
    "write a declared dimension, a size, arithmetic of these with `+ - * //`, `*batch`, `...` "
    "or `_`"
)


def resolve_shape(
    names: NameTable, items: Sequence[ast.expr], *, parameters: bool = False
) -> tuple[Dim, ...]:
    """Return the dimensions in brackets.

    `parameters` means that they are arguments of a class (`Linear[pixels, hidden]`), where each is
    exactly one dimension.

    Raises:
        Refused: if they have a mistake, which is reported.
    """
    dims = each(partial(resolve_dim, names), items)
    open_ended = [i for i, dim in enumerate(dims) if isinstance(dim, Batch | AnyDims)]
    if len(open_ended) > (0 if parameters else 1):
        raise names.refused(
            Code.WRONG_DIMENSION,
            items[open_ended[-1]],
            "a dimension of a class must be exactly one axis"
            if parameters
            else "two dimensions match any number of axes, so neither is determined",
            label="matches any number of axes",
            advice="write `_` for one axis of any size" if parameters else "keep one of the two",
        )
    return dims


def dims_first(names: NameTable, items: Sequence[ast.expr], count: int) -> list[ast.expr]:
    """Return a class's arguments as `count` dimensions and then types; empty if already so, or
    unclear.
    """
    dims = [item for item in items if is_dim(names, item)]
    types = [item for item in items if not is_dim(names, item) and _is_type(names, item)]
    is_clear = len(dims) == count and len(dims) + len(types) == len(items)
    return [*dims, *types] if is_clear and [*dims, *types] != [*items] else []


def is_dim(names: NameTable, expr: ast.expr) -> bool:
    """Return whether an expression can only be a dimension."""
    match expr:
        case ast.Name(id=name):
            return name == "_" or name in names.own or bool(names.symbol(name, "dimension"))
        case ast.Constant(value=value):
            return value.__class__ is int
        case ast.BinOp(op=op):
            return not isinstance(op, ast.BitOr)
        case _:
            return False


def _is_type(names: NameTable, expr: ast.expr) -> bool:
    """Return whether an expression can only be a type."""
    match expr:
        case ast.Name(id=name):
            return names.find(name) is not None
        case ast.Constant(value=value):
            return value is None
        case ast.Subscript() | ast.Attribute() | ast.BinOp(op=ast.BitOr()):
            return True
        case _:
            return False


def resolve_dim(names: NameTable, expr: ast.expr) -> Dim:
    """Resolve one dimension.

    Raises:
        Refused: if it has a mistake, which is reported.
    """
    match expr:
        case ast.Constant(value=value) if value is ...:
            return AnyDims()
        case ast.Constant(value=int() as size) if not isinstance(size, bool):
            if size <= _SIZE_MAX:
                return Size(size)
            raise names.refused(
                Code.WRONG_DIMENSION,
                expr,
                "this size is too large",
                label="no array can be this large",
                advice=f"write a size of at most {_SIZE_MAX}",
            )
        case ast.Name(id="_"):
            return AnyDim()
        case ast.Name():
            return _resolve_name(names, expr)
        case ast.Starred(value=ast.Name() as batch):
            return Batch(batch.id)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() as op):
            left, right = each(partial(resolve_dim, names), (expr.left, expr.right))
            if not any(isinstance(side, Batch | AnyDims | AnyDim) for side in (left, right)):
                return DimSum(_OPERATORS[type(op)], left, right)
        case _:
            pass
    raise _refuse_dim(names, expr)


def _refuse_dim(names: NameTable, expr: ast.expr, advice: str = "") -> Refused:
    match expr:
        case _ if advice:
            pass
        case ast.BinOp(op=ast.Div()):
            advice = "write `//`: sizes use integer division"
        case ast.Constant(value=str()):
            advice = "remove the quotes"
        case ast.UnaryOp():
            advice = "a size cannot be negative; for any size, write `_`"
        case ast.BinOp():
            advice = (
                "use only names of dimensions and sizes in arithmetic: `nx + 1`, `2 * nx`, "
                "`nx // 2`"
            )
        case _:
            advice = _FORMS
    return names.refused(
        Code.WRONG_DIMENSION,
        expr,
        "this is not a dimension",
        label="expected the size of an axis",
        advice=advice,
    )


def _resolve_name(names: NameTable, expr: ast.Name) -> Dim:
    meaning = names.find(expr)
    if expr.id == "Array" and (meaning is None or isinstance(meaning, ExternalName)):
        advice = "remove `Array`, and write only the dimensions in brackets: `Float[nx]`"
        raise _refuse_dim(names, expr, advice)
    if expr.id in names.own:
        return DimName(expr.id)
    if isinstance(meaning, Symbol) and isinstance(meaning.decl, Dimension):
        return DimName(expr.id, meaning.decl.mesh)
    if meaning is None:
        known = [n for n in names.meanings if names.symbol(n, "dimension")]
        near = did_you_mean(expr.id, {*names.own, *known})
        declare = f"write `{expr.id} = Dim()` in the module"
        names.add_once(
            Code.UNKNOWN_DIMENSION,
            expr.id,
            expr,
            f"`{expr.id}` is not a declared dimension",
            label="unknown dimension",
            advice=f"{near} For a new dimension, {declare}" if near else declare,
        )
        raise Refused
    if names.symbol(expr, "alias"):
        raise names.refused(
            Code.WRONG_DIMENSION,
            expr,
            f"the alias `{expr.id}` is a type, not a dimension",
            label="expected the size of an axis",
            advice=f"if `{expr.id}` should be a dimension, declare `{expr.id} = Dim()` instead",
        )
    if names.is_refused(expr):
        raise Refused
    raise _refuse_dim(names, expr)
