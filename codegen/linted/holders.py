"""Who holds the objects of a class statically, and where a dynamic field could stand instead.

class Inner: lr: static[float]
class Outer: inner: static[Inner]
class State: outer: static[Outer]; x: dynamic[f32]    ->    Holders(classes=["State"], is_direct=False)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from codegen.checked.facts import descendants
from codegen.linted.linting import Linting
from codegen.program.bind import bases_of
from codegen.program.nodes import Class, Field, Function, Parameter
from codegen.program.types import ClassType, Ref, Type, class_refs, walk


class Holders(Struct):
    """Where what holds a class statically ends, perhaps through other static classes."""

    # Those that may have a dynamic field, and functions that have it in a static argument.
    classes: list[str] = field(default_factory=list[str])
    functions: list[str] = field(default_factory=list[str])
    is_direct: bool = True  # no other static class is between


class Holding(Struct, frozen=True):
    """Each class and each function, with the classes that it holds statically."""

    linting: Linting
    pairs: tuple[tuple[Class | Function, frozenset[Ref]], ...]

    def is_held(self, node: Class) -> bool:
        """Whether a class can have no dynamic field: an object of it is static somewhere."""
        kin = _kin(self.linting, node)
        classes = self.linting.program.classes
        says_static = any(classes[ref].use == "static" for ref in kin)
        return says_static or any(kin & refs for _, refs in self.pairs)

    def holders(self, node: Class) -> Holders:
        """Where one that is held is held at last."""
        found = Holders()
        passed = {node.ref}
        inner = [node]
        while inner:
            kin = frozenset[Ref]().union(*(_kin(self.linting, one) for one in inner))
            outer = [holder for holder, refs in self.pairs if kin & refs]
            found.functions += [one.name for one in outer if isinstance(one, Function)]
            classes = [one for one in outer if isinstance(one, Class) and one.ref not in passed]
            passed.update(one.ref for one in classes)
            inner = [one for one in classes if self.is_held(one)]
            found.classes += [one.ref.name for one in classes if one not in inner]
            found.is_direct &= not inner
        return found


def find_holding(linting: Linting) -> Holding:
    """Who holds what statically in a program."""
    pairs: list[tuple[Class | Function, frozenset[Ref]]] = []
    for module in linting.program.modules:
        for node in module.classes:
            constants = (one.type for one in node.constants)
            held = (*constants, *_static(linting, node.own_fields))
            pairs.append((node, _refs(held)))
        for function in module.functions:
            pairs.append((function, _refs(_static(linting, function.parameters))))
    return Holding(linting, tuple((one, refs) for one, refs in pairs if refs))


def _refs(held: Iterable[Type]) -> frozenset[Ref]:
    return frozenset(ref for type in held for ref in class_refs(type))


def _static(linting: Linting, declared: tuple[Field | Parameter, ...]) -> Iterator[Type]:
    for one in declared:
        if one.role == "static":
            yield one.type
        yield from _arguments(linting, one.type)


def _arguments(linting: Linting, type: Type) -> Iterator[Type]:
    """The types that stand for a type parameter of which a class has static values."""
    roles = linting.facts.parameter_roles
    for part in walk(type):
        if isinstance(part, ClassType):
            names = linting.program.classes[part.ref].type_parameters
            for name, argument in zip(names, part.arguments, strict=False):
                if "static" in roles[part.ref, name]:
                    yield argument


def _kin(linting: Linting, node: Class) -> frozenset[Ref]:
    """A class, its subclasses, and the classes for which it may stand."""
    program = linting.program
    above = (base.ref for _, base in bases_of(node, program.classes))
    return frozenset((node.ref, *descendants(program, node.ref), *above))
