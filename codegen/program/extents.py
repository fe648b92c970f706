"""Count how large types become once aliases and parameters are expanded, before any is expanded.

A0 = int; A1 = tuple[A0, A0]; A2 = tuple[A1, A1]; ...    A20 would have two million nodes

class A0(Generic[T]): x: dynamic[T]
class A1(Generic[T]): a: dynamic[A0[tuple[T, T]]]
class A2(Generic[T]): a: dynamic[A1[tuple[T, T]]]        A20 would have a field of a million nodes

Each alias and each class is counted once. Beyond these limits Python raises a RecursionError, or
does not answer for hours.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.graph import components
from codegen.program.names import NameTable, Symbol
from codegen.program.nodes import Class, Program
from codegen.program.references import signature_types
from codegen.program.types import ClassType, Dim, Ref, Type
from codegen.schema.stub import items

DEPTH_MAX: Final = 100
NODES_MAX: Final = 10_000
BASES_MAX: Final = 100
# The limit for all types of one module together. Each may have the size of the largest allowed
# type, but thousands of them may not.
MODULE_NODES_MAX: Final = 1_000_000


class Extent(Struct, frozen=True):
    """The number of nodes of a type and their depth, as a function of a class's parameters.

    Anything above a limit counts as the limit plus one.
    """

    nodes: int = 0  # without the parameters
    factor: int = 0  # how often the parameters occur in it
    depth: float = 0  # without the parameters
    depth_below: float = -inf  # the depth of the parameters in it, if there are some

    @property
    def exceeded_limit(self) -> str:
        """Return the limit that is exceeded even if each parameter is a single name; empty if there
        is none.
        """
        if max(self.depth, self.depth_below) > DEPTH_MAX:
            return f"is nested more than {DEPTH_MAX} levels deep"
        is_large = self.nodes + self.factor > NODES_MAX
        return f"has more than {NODES_MAX:,} nodes" if is_large else ""

    def substitute(self, argument: Extent) -> Extent:
        """Return the extent with the parameters replaced."""
        return _limited(
            self.nodes + self.factor * argument.nodes,
            self.factor * argument.factor,
            max(self.depth, self.depth_below + argument.depth),
            self.depth_below + argument.depth_below,
        )


_ONE = Extent(nodes=1)
_PARAMETER = Extent(factor=1, depth_below=0)


def _limited(nodes: int, factor: int, depth: float, depth_below: float) -> Extent:
    return Extent(
        min(nodes, NODES_MAX + 1),
        min(factor, NODES_MAX + 1),
        min(depth, DEPTH_MAX + 1),
        min(depth_below, DEPTH_MAX + 1),
    )


def _wrap(inner: Collection[Extent]) -> Extent:
    """Return the extent of a node around these parts."""
    if not inner:
        return _ONE
    return _limited(
        1 + sum(one.nodes for one in inner),
        sum(one.factor for one in inner),
        1 + max(one.depth for one in inner),
        1 + max(one.depth_below for one in inner),
    )


def _upper_bound(extents: Collection[Extent]) -> Extent:
    """Return an upper bound of several extents."""
    return Extent(*map(max, zip(*map(astuple, (Extent(), *extents)), strict=True)))


# --- aliases


class Extents:
    """The extents of a program's type expressions."""

    def __init__(self, all_names: Mapping[str, NameTable]) -> None:
        self.aliases: dict[Ref, Extent] = {}
        self._cycles: dict[Ref, Ref] = {}
        self._totals: dict[str, int] = {}
        decls = {
            alias.ref: alias for name, names in all_names.items() for alias in names.module.aliases
        }
        edges = {
            ref: [symbol.ref for symbol in self._iter_aliases(all_names[ref.module], decl.type)]
            for ref, decl in decls.items()
        }
        for group in components(edges):
            first = group[0]
            if len(group) > 1 or first in edges[first]:
                self._cycles |= dict.fromkeys(group, min(group))
            else:
                self.aliases[first] = self.of(all_names[first.module], decls[first].type)

    def of(self, names: NameTable, expr: ast.expr) -> Extent:
        """Return the extent of an expression with its aliases expanded."""
        if isinstance(expr, ast.Name):
            symbol = names.symbol(expr, "alias")
            known = self.aliases.get(symbol.ref) if symbol else None
            return _wrap([known]) if known else _ONE
        return _wrap([self.of(names, part) for part in _subexpressions(expr)])

    def cycle_representative(self, ref: Ref) -> Ref | None:
        """Return one alias of the cycle that an alias is in. It is the same for the whole cycle."""
        return self._cycles.get(ref)

    def is_too_large(self, names: NameTable, expr: ast.expr) -> bool:
        """Return whether an alias in an expression is too large by itself. That is reported at the
        alias.
        """
        known = (self.aliases.get(symbol.ref) for symbol in self._iter_aliases(names, expr))
        return any(extent.exceeded_limit for extent in known if extent)

    def add_to_total(self, module: str, extent: Extent) -> int:
        """Add a type to the total of its module, and return the total."""
        self._totals[module] = self._totals.get(module, 0) + extent.nodes
        return self._totals[module]

    def _iter_aliases(self, names: NameTable, expr: ast.expr) -> Iterator[Symbol]:
        """Yield the aliases that an expression names."""
        if isinstance(expr, ast.Name) and (symbol := names.symbol(expr, "alias")):
            yield symbol
        for part in _subexpressions(expr):
            yield from self._iter_aliases(names, part)


def _subexpressions(expr: ast.expr) -> list[ast.expr]:
    """Return the parts of a type expression."""
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


# --- parameters of classes


def check_expansion(program: Program, all_names: Mapping[str, NameTable]) -> None:
    """Report every type that becomes too large when the parameters of its classes are expanded.

    The extent of a class is a bound that depends on its parameters, so each class is counted once.
    Paths from a class back to itself are omitted: every walk over classes visits each class once.
    """
    if not any(_parameters(node) for node in program.classes.values()):
        return
    uses = {ref: [*_iter_generic_uses(_own_types(node))] for ref, node in program.classes.items()}
    known: dict[Ref, Extent] = {}
    for group in components({ref: [use.ref for use in found] for ref, found in uses.items()}):
        bounds: list[Extent] = []
        for ref in group:
            names, parameters = all_names[ref.module], _parameters(program.classes[ref])
            bounds += [extent(type, parameters) for type in _own_types(program.classes[ref])]
            for use in uses[ref]:
                argument = _arguments_extent(use, parameters)
                applied = _substituted_extent(names, use, argument, known)
                # A class without type arguments has the same extent in every holder.
                bounds += [applied] if argument.factor else []
        known |= dict.fromkeys(group, _upper_bound(bounds))
    for function in program.functions:
        names = all_names[function.span.source.module]
        for use in _iter_generic_uses(signature_types(function)):
            _substituted_extent(names, use, _arguments_extent(use, ()), known)


def _substituted_extent(
    names: NameTable, use: ClassType, argument: Extent, known: Mapping[Ref, Extent]
) -> Extent:
    """Return the extent of a class with its parameters replaced. In a cycle of classes it is
    unknown.
    """
    own = known.get(use.ref, Extent())
    extent = own.substitute(argument)
    if extent.exceeded_limit and not own.exceeded_limit:
        _report_growth(names, use, extent.exceeded_limit)
    return extent


def is_base_too_large(
    names: NameTable, base: ClassType, parent: Class, parameters: Collection[str]
) -> bool:
    """Return whether the fields of a base are too large in a class. This is reported."""
    own = _parameters(parent)
    largest = _upper_bound([extent(field.type, own) for field in parent.fields])
    fault = largest.substitute(_arguments_extent(base, parameters)).exceeded_limit
    if fault:
        _report_growth(names, base, fault)
    return bool(fault)


def _parameters(node: Class) -> frozenset[str]:
    """Return the parameters of a class, of both kinds. All of them have different names."""
    return frozenset((*node.dims, *node.type_parameters))


def extent(part: Type | Dim, parameters: Collection[str]) -> Extent:
    """Return the extent of a resolved type."""
    if isinstance(part, types.TypeParameter | types.DimName) and part.name in parameters:
        return _PARAMETER
    if isinstance(part, types.Literals):
        return _wrap([_ONE] * len(part.values))
    return _wrap([extent(one, parameters) for one in part.parts])


def _arguments_extent(use: ClassType, parameters: Collection[str]) -> Extent:
    """Return a bound of the arguments for the parameters of a class."""
    dims = [extent(dim, parameters) for dim in use.dims]
    return _upper_bound([*dims, *(extent(type, parameters) for type in use.arguments)])


def _own_types(node: Class) -> tuple[Type, ...]:
    """Return the types that occur in a class's own declarations."""
    base = [node.base] if node.base else []
    methods = (type for method in node.methods for type in signature_types(method))
    return (*base, *(field.type for field in node.own_fields), *methods)


def _iter_generic_uses(held: Iterable[Type]) -> Iterator[ClassType]:
    """Yield the classes in types that have arguments in brackets, outermost first."""
    for part in (part for type in held for part in type.walk()):
        if isinstance(part, ClassType) and (part.dims or part.arguments):
            yield part


def _report_growth(names: NameTable, use: ClassType, fault: str) -> None:
    """Report a type that becomes too large when the parameters of its class are expanded."""
    if use.arguments:
        advice = "use a class in the brackets: classes are referenced by name and not expanded"
    elif len(use.dims) == 1:
        advice = f"declare `m = Dim()`, and write `{use.ref.name}[m]`"
    else:
        advice = "write only names of dimensions in the brackets, each declared as in `m = Dim()`"
    names.add(
        Code.NESTED_TOO_DEEPLY,
        use.span,
        f"`{use.ref.name}` is too large with the arguments given here: one of its types {fault} when "
        "they are substituted",
        label="too large",
        advice=advice,
    )
