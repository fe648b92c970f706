"""A dimension that occurs in arithmetic alone.

class Edge: flux: dynamic[f32[n + 1]]    ->    UNBOUND_DIMENSION: nothing says what `n` is
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.sizes import bound_names, holders
from codegen.program.nodes import Class
from codegen.program.types import Array, Dim, DimName, DimSum, Ref, walk


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each field with arithmetic over a dimension that neither its class nor a holder binds."""
    program = linting.program
    bound = bound_names(program)
    held_by = holders(program)
    for ref, node in program.classes.items():
        # Few classes have arithmetic, and only for them it is asked who holds them.
        if any(_names(array) for array in _arrays(node)):
            known = {*node.dims}.union(*(bound[one] for one in _around(ref, held_by)))
            yield from _of_class(linting, node, known)


def _around(ref: Ref, held_by: dict[Ref, set[Ref]]) -> set[Ref]:
    """A class, and all that hold it or derive from it, at any depth."""
    found, waiting = {ref}, [ref]
    while waiting:
        for one in held_by[waiting.pop()] - found:
            found.add(one)
            waiting.append(one)
    return found


def _of_class(linting: Linting, node: Class, known: set[str]) -> Iterator[Diagnostic]:
    said: set[str] = set()
    for array in _arrays(node):
        for name in sorted(_names(array) - known - said):
            said.add(name)
            yield linting.warn(
                Code.UNBOUND_DIMENSION,
                node.source,
                # The type of an alias stands where the alias is used.
                array.span,
                f"nothing says what `{name}` is in `{node.ref.name}`",
                label="only arithmetic over it",
                advice=f"add a field `{name}: static[int]`, or an array with an axis `{name}`",
            )


def _arrays(node: Class) -> list[Array]:
    parts = (part for field in node.own_fields for part in walk(field.type))
    return [part for part in parts if isinstance(part, Array)]


def _names(array: Array) -> set[str]:
    return {name for dim in array.shape for name in _in_arithmetic(dim)}


def _in_arithmetic(dim: Dim) -> Iterator[str]:
    if isinstance(dim, DimSum):
        for side in (dim.left, dim.right):
            if isinstance(side, DimName):
                yield side.name
            else:
                yield from _in_arithmetic(side)
