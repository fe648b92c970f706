"""What the names of dimensions and type parameters stand for in one class or function.

class Lin(dims=(n, m)): ...    ->    class Lin(dims=(a, b)): ...    # n and a are "#0", m and b "#1"
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diff.comparison import Comparison, Renaming
from codegen.program.nodes import Class, Function
from codegen.program.substitution import bases_of
from codegen.program.types import Type, TypeParameter, children


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
        for one, other in zip(children(old), children(new), strict=False):
            yield from in_types(one, other)


def in_class(comparison: Comparison, old: Class, new: Class) -> Comparison:
    """The same comparison, where a class's parameters are their places."""
    modules = [old.ref.module]
    modules += [parent.ref.module for parent, _ in bases_of(old, comparison.old.classes)]
    dims: dict[str, str] = {}
    for module in reversed(modules):
        dims |= comparison.dims.get(module, {})
    return comparison.within(
        Renaming(dims | _places(old.dims), _places(old.type_parameters)),
        Renaming(_places(new.dims), _places(new.type_parameters)),
    )


def in_module(comparison: Comparison, module: str) -> Comparison:
    """The same comparison, where a module's dimensions have their new names."""
    return comparison.within(Renaming(comparison.dims.get(module, {}), {}), Renaming({}, {}))


def in_signature(comparison: Comparison, old: Function, new: Function) -> Comparison:
    """The same comparison, where each type parameter of a function is the one in its place."""
    before, after = comparison.old_names, comparison.new_names
    found: dict[str, str] = {}
    for one, other in _met(old, new):
        is_of_class = one in before.parameters or other in after.parameters
        if not is_of_class and one not in found and other not in found.values():
            found[one] = other
    # One that became none must not be taken for another that has its name now.
    lost = {name: f"lost {name}" for name in found.values() if name not in found}
    return comparison.within(
        Renaming(before.dims, lost | found | dict(before.parameters)), comparison.new_names
    )


def _places(names: tuple[str, ...]) -> dict[str, str]:
    return {name: f"#{i}" for i, name in enumerate(names)}


def _met(old: Function, new: Function) -> Iterator[tuple[str, str]]:
    """The type parameters that stand in one place."""
    for one, other in in_signatures(old, new):
        if isinstance(one, TypeParameter) and isinstance(other, TypeParameter):
            yield one.name, other.name
