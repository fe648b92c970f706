"""Turn what stands in an array's brackets into dimensions.

f32[nx + 1, *batch, 3]    ->    (DimSum("+", DimName("nx"), Size(1)), Batch("batch"), Size(3))
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final, Literal

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.names import NameTable, Outside, Symbol
from codegen.program.types import AnyDim, AnyDims, Batch, Dim, DimName, DimSum, Size
from codegen.schema.nodes import Dimension
from codegen.schema.vocabulary import Word

_SIZE_MAX: Final = 2**63 - 1
_OPERATORS: Final[dict[type[ast.operator], Literal["+", "-", "*", "//"]]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
}
_FORMS = "a dimension is a declared name, a size, `+ - * //` of these, `*batch`, `...` or `_`"


def resolve_shape(
    names: NameTable,
    own: frozenset[str],
    items: Sequence[ast.expr],
    *,
    parameters: bool = False,
) -> tuple[Dim, ...] | None:
    """The dimensions, or None after a report.

    `own` are the dimension parameters of the class around; `parameters` means that the items are
    arguments of a class (`Linear[pixels, hidden]`), where each is exactly one dimension.
    """
    dims = [resolve_dim(names, own, item) for item in items]
    found = tuple(dim for dim in dims if dim is not None)
    if len(found) != len(dims):
        return None
    open_ended = [i for i, dim in enumerate(found) if isinstance(dim, Batch | AnyDims)]
    if len(open_ended) <= (0 if parameters else 1):
        return found
    names.scope.add(
        Code.WRONG_DIMENSION,
        items[open_ended[-1]],
        "a class's dimension stands for exactly one axis"
        if parameters
        else "two dimensions stand for any number of axes, so that neither is determined",
        label="any number of axes",
        advice="write `_` for one of any size" if parameters else "keep one of them",
    )
    return None


def in_order(
    names: NameTable, own: frozenset[str], items: Sequence[ast.expr], count: int
) -> list[ast.expr]:
    """A class's arguments, `count` dimensions and then types; empty if they are so, or unclear."""
    are_dims = [is_dim(names, own, item) for item in items]
    dims = [item for item, is_dim in zip(items, are_dims, strict=True) if is_dim]
    types = [
        item
        for item, is_dim in zip(items, are_dims, strict=True)
        if not is_dim and _is_type(names, item)
    ]
    is_clear = len(dims) == count and len(dims) + len(types) == len(items)
    return [*dims, *types] if is_clear and [*dims, *types] != [*items] else []


def is_dim(names: NameTable, own: frozenset[str], expr: ast.expr) -> bool:
    """Whether an expression looks like a dimension and like nothing else."""
    match expr:
        case ast.Name(id=name):
            meaning = names.find(name)
            is_declared = isinstance(meaning, Symbol) and meaning.kind == "dimension"
            return name == "_" or name in own or is_declared
        case ast.Constant(value=value):
            return value.__class__ is int
        case ast.BinOp(op=op):
            return not isinstance(op, ast.BitOr)
        case _:
            return False


def _is_type(names: NameTable, expr: ast.expr) -> bool:
    """Whether an expression looks like a type and like nothing else."""
    match expr:
        case ast.Name(id=name):
            return names.find(name) is not None
        case ast.Constant(value=value):
            return value is None
        case ast.Subscript() | ast.Attribute() | ast.BinOp(op=ast.BitOr()):
            return True
        case _:
            return False


def resolve_dim(names: NameTable, own: frozenset[str], expr: ast.expr) -> Dim | None:
    """One dimension, or None after a report."""
    match expr:
        case ast.Constant(value=value) if value is ...:
            return AnyDims()
        case ast.Constant(value=int() as size) if not isinstance(size, bool):
            if size <= _SIZE_MAX:
                return Size(size)
            names.scope.add(
                Code.WRONG_DIMENSION,
                expr,
                "this size is too large",
                label="no array is so long",
                advice=f"a size is at most {_SIZE_MAX}",
            )
            return None
        case ast.Name(id="_"):
            return AnyDim()
        case ast.Name():
            return _name(names, own, expr)
        case ast.Starred(value=ast.Name() as batch):
            return Batch(batch.id)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() as op):
            left = resolve_dim(names, own, expr.left)
            right = resolve_dim(names, own, expr.right)
            if left is None or right is None:
                return None
            if not any(isinstance(side, Batch | AnyDims | AnyDim) for side in (left, right)):
                return DimSum(_OPERATORS[type(op)], left, right)
        case _:
            pass
    _wrong(names, expr)
    return None


def _wrong(names: NameTable, expr: ast.expr, advice: str = "") -> None:
    match expr:
        case _ if advice:
            pass
        case ast.BinOp(op=ast.Div()):
            advice = "sizes are divided without a rest: write `//`"
        case ast.Constant(value=str()):
            advice = "leave the quotes out"
        case ast.UnaryOp():
            advice = "a size is not negative; any size is `_`"
        case ast.BinOp():
            advice = "arithmetic takes names and sizes: `nx + 1`, `2 * nx`, `nx // 2`"
        case _:
            advice = _FORMS
    names.scope.add(
        Code.WRONG_DIMENSION,
        expr,
        "this is not a dimension",
        label="expected the size of an axis",
        advice=advice,
    )


def _name(names: NameTable, own: frozenset[str], expr: ast.Name) -> Dim | None:
    meaning = names.find(expr.id)
    if expr.id == "Array" and (meaning is None or isinstance(meaning, Outside)):
        advice = "leave `Array` out: dimensions stand in brackets alone, `Float[nx]`"
        _wrong(names, expr, advice)
        return None
    if expr.id in own:
        return DimName(expr.id)
    if isinstance(meaning, Symbol) and isinstance(meaning.decl, Dimension):
        return DimName(expr.id, meaning.decl.mesh)
    if meaning is None:
        _unknown(names, own, expr)
    elif isinstance(meaning, Symbol) and meaning.kind == "alias":
        names.scope.add(
            Code.WRONG_DIMENSION,
            expr,
            f"the alias `{expr.id}` is a type, not a dimension",
            label="expected the size of an axis",
            advice=f"a dimension is declared by `{expr.id} = Dim()`",
        )
    elif not (isinstance(meaning, Word) and meaning.kind == "unknown"):
        _wrong(names, expr)
    return None


def _unknown(names: NameTable, own: frozenset[str], expr: ast.Name) -> None:
    symbols = names.meanings.items()
    known = {n for n, m in symbols if isinstance(m, Symbol) and m.kind == "dimension"}
    names.scope.add_once(
        Code.UNKNOWN_DIMENSION,
        expr.id,
        expr,
        f"`{expr.id}` is not a declared dimension",
        label="unknown dimension",
        advice=did_you_mean(
            expr.id, {*own, *known}, f"declare it in the module: `{expr.id} = Dim()`"
        ),
    )
