"""The types that stand in one place in both versions.

def f(x: dynamic[f32[n]]) -> T    and    def f(x: dynamic[f32[m]]) -> S    ->    f32[n], f32[m]; T, S
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.program.nodes import Function
from codegen.program.types import Type, inside


def in_signatures(old: Function, new: Function) -> Iterator[tuple[Type, Type]]:
    """Those of the parameters that both functions have, and of the results."""
    parameters = {one.name: one.type for one in new.parameters}
    for one in old.parameters:
        if one.name in parameters:
            yield from in_types(one.type, parameters[one.name])
    yield from in_types(old.returns, new.returns)


def in_types(old: Type, new: Type) -> Iterator[tuple[Type, Type]]:
    """Two types, and their parts as far as they are made alike."""
    if type(old) is type(new):
        yield old, new
        for one, other in zip(inside(old), inside(new), strict=False):
            yield from in_types(one, other)
