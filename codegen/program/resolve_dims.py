"""Turn what stands in an array's brackets into dimensions.

    f32[nx + 1, *batch, 3]    ->    (DimSum("+", DimName("nx"), Size(1)), Batch("batch"), Size(3))
"""

from __future__ import annotations

from codegen.diagnostics.codes import Code
from codegen.program.names import Names, Symbol
from codegen.program.types import AnyDim, AnyDims, Batch, Dim, DimName, DimSum, Size
from codegen.schema.scope import did_you_mean
from codegen.source import Span
from codegen.syntax import nodes as syntax

_SIZE_MAX = 2**63 - 1


def resolve_shape(
    names: Names,
    own: frozenset[str],
    items: tuple[syntax.Expr, ...],
    *,
    parameters: bool = False,
) -> tuple[Dim, ...] | None:
    """Return the dimensions, or None after a report.

    `own` are the dimension parameters of the class around; `parameters` means that the items are
    arguments of a class (`Linear[pixels, hidden]`), where each is exactly one dimension.
    """
    dims = [resolve_dim(names, own, item) for item in items]
    found = tuple(d for d in dims if d is not None)
    if len(found) != len(dims):
        return None
    open_ended = [i for i, d in enumerate(found) if isinstance(d, Batch | AnyDims)]
    if len(open_ended) > (0 if parameters else 1):
        names.scope.add(
            Code.WRONG_DIMENSION,
            items[open_ended[-1]].span,
            "a class's dimension stands for exactly one axis"
            if parameters
            else "two dimensions stand for any number of axes, so neither is determined",
            "any number of axes",
            "write `_` for one of any size" if parameters else "keep one of them",
        )
        return None
    return found


def resolve_dim(names: Names, own: frozenset[str], expr: syntax.Expr) -> Dim | None:
    """Return one dimension, or None after a report."""
    match expr:
        case syntax.Constant(value=value) if value is ...:
            return AnyDims()
        case syntax.Constant(value=bool()):
            return _wrong(names, expr.span)
        case syntax.Constant(value=int() as size):
            return Size(size) if size <= _SIZE_MAX else _wrong(names, expr.span)
        case syntax.Name(id="_"):
            return AnyDim()
        case syntax.Name():
            return _name(names, own, expr)
        case syntax.Starred(value=syntax.Name() as batch):
            return Batch(batch.id)
        case syntax.Binary(operator="+" | "-" | "*" | "//"):
            left = resolve_dim(names, own, expr.left)
            right = resolve_dim(names, own, expr.right)
            if left is None or right is None:
                return None
            if any(isinstance(d, Batch | AnyDims | AnyDim) for d in (left, right)):
                return _wrong(names, expr.span)
            return DimSum(expr.operator, left, right)  # type: ignore[arg-type]
        case _:
            return _wrong(names, expr.span)


def _wrong(names: Names, span: Span) -> None:
    names.scope.add(
        Code.WRONG_DIMENSION,
        span,
        "this is not a dimension",
        "",
        "a dimension is a declared name, a size, `+ - * //` of these, `*batch`, `...` or `_`",
    )


def _name(names: Names, own: frozenset[str], expr: syntax.Name) -> Dim | None:
    meaning = names.find(expr.id)
    if expr.id in own or (isinstance(meaning, Symbol) and meaning.kind == "dimension"):
        return DimName(expr.id)
    known = sorted({*own, *_declared(names)})
    if meaning is None:
        nearest = did_you_mean(expr.id, known)
        names.scope.add(
            Code.UNKNOWN_DIMENSION,
            expr.span,
            f"`{expr.id}` is not a declared dimension",
            "",
            nearest or f"declare it: `{expr.id} = Dim()`",
        )
    elif getattr(meaning, "kind", "") != "unknown":
        _wrong(names, expr.span)
    return None


def _declared(names: Names) -> list[str]:
    return [
        name
        for name, meaning in names.meanings.items()
        if isinstance(meaning, Symbol) and meaning.kind == "dimension"
    ]
