"""How large a type is once its aliases are written out, counted before any of them is.

A0 = int; A1 = tuple[A0, A0]; A2 = tuple[A1, A1]; ...    A20 would have two million nodes

Brackets are counted where they are read; aliases make deep and wide types of flat ones, and classes
long chains of short ones. Beyond these limits Python answers with a RecursionError, or not for hours.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codegen.program.graph import components
from codegen.program.names import Names, Symbol
from codegen.program.types import Ref
from codegen.schema.nodes import Alias
from codegen.schema.stub import items

DEPTH_MAX: Final = 100
NODES_MAX: Final = 10_000
BASES_MAX: Final = 100
# All types of one module together: each may be as large as one may be, but not thousands of them.
MODULE_NODES_MAX: Final = 1_000_000


class Extent(Struct, frozen=True):
    """How many nodes a type has, and how deep they are nested."""

    nodes: int
    depth: int

    @property
    def fault(self) -> str:
        """What there is too much of; empty where there is not."""
        if self.depth > DEPTH_MAX:
            return f"is nested more than {DEPTH_MAX} deep"
        return f"has more than {NODES_MAX:,} nodes" if self.nodes > NODES_MAX else ""


class Extents:
    """The extents of a program's type expressions."""

    def __init__(self, all_names: Mapping[str, Names]) -> None:
        self._aliases: dict[Ref, Extent] = {}
        self._circles: dict[Ref, Ref] = {}
        self._totals: dict[str, int] = {}
        decls = {
            alias.ref: alias for name, names in all_names.items() for alias in names.module.aliases
        }
        edges = {
            ref: [symbol.ref for symbol in self._named(all_names[ref.module], decl.type)]
            for ref, decl in decls.items()
        }
        for group in components(edges):
            first = group[0]
            if len(group) > 1 or first in edges[first]:
                self._circles |= dict.fromkeys(group, min(group))
            else:
                self._aliases[first] = self.of(all_names[first.module], decls[first].type)

    def of(self, names: Names, expr: ast.expr) -> Extent:
        """Count what an expression is written out; more than the limits counts as one more."""
        if isinstance(expr, ast.Name):
            symbol = alias_of(names, expr)
            known = self._aliases.get(symbol.ref) if symbol else None
            return _around([known]) if known else Extent(1, 0)
        return _around([self.of(names, part) for part in _parts(expr)])

    def first_of_circle(self, ref: Ref) -> Ref | None:
        """Return one alias, always the same, of those that an alias is defined by in a circle."""
        return self._circles.get(ref)

    def is_too_large(self, names: Names, expr: ast.expr) -> bool:
        """Say whether an alias in an expression is too large by itself, which is said of it."""
        known = (self._aliases.get(symbol.ref) for symbol in self._named(names, expr))
        return any(extent.fault for extent in known if extent)

    def spend(self, module: str, extent: Extent) -> int:
        """Count a type among those of its module; how much they come to."""
        self._totals[module] = self._totals.get(module, 0) + extent.nodes
        return self._totals[module]

    def _named(self, names: Names, expr: ast.expr) -> Iterator[Symbol]:
        """The aliases that an expression names."""
        if isinstance(expr, ast.Name) and (symbol := alias_of(names, expr)):
            yield symbol
        for part in _parts(expr):
            yield from self._named(names, part)


def _around(inner: Sequence[Extent]) -> Extent:
    """What holds these parts, or is an alias's name; more than the limits counts as one more."""
    nodes = 1 + sum(part.nodes for part in inner)
    depth = 1 + max((part.depth for part in inner), default=-1)
    return Extent(min(nodes, NODES_MAX + 1), min(depth, DEPTH_MAX + 1))


def alias_of(names: Names, expr: ast.Name) -> Symbol | None:
    """The alias that a name stands for."""
    meaning = names.find(expr.id)
    if isinstance(meaning, Symbol) and isinstance(meaning.decl, Alias):
        return meaning
    return None


def _parts(expr: ast.expr) -> list[ast.expr]:
    """The parts of a type expression."""
    match expr:
        case ast.Subscript():
            return items(expr)
        case ast.Tuple() | ast.List():
            return expr.elts
        case ast.BinOp():
            return [expr.left, expr.right]
        case ast.UnaryOp():
            return [expr.operand]
        case _:
            return []
