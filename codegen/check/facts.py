"""Facts about a whole program: which classes are static, which modules form a cycle.

class Grid: nx: static[int]    ->    facts.is_static(Ref("heat", "Grid"))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from codegen.check.imports import late_imports
from codegen.program.graph import FixedPoint, Lookup
from codegen.program.nodes import Class, Program
from codegen.program.types import (
    Anything,
    Array,
    ClassType,
    External,
    Ref,
    Type,
    TypeParameter,
)
from codegen.schema.vocabulary import TRACED, Role

# A class and the name of one of its type parameters.
_TypeVariable: TypeAlias = tuple[Ref, str]


class TypeParameterFacts(Struct, frozen=True):
    """A type parameter in the context of its class."""

    name: str
    # The roles in which its class, or one that the class holds, has values of it.
    roles: frozenset[Role]
    is_restricted: bool  # by a bound or by constraints


class Facts(Struct, frozen=True):
    """Facts about a program."""

    # Classes without a dynamic or donated field, in themselves or in a subclass.
    static: frozenset[Ref]
    # Abstract classes: no object has exactly this type.
    abstract: frozenset[Ref]
    # Classes that hold a donated array, at any depth, and abstract classes with such a subclass.
    donating: frozenset[Ref]
    # (importer, imported): modules that need each other. They are imported on use.
    late: frozenset[tuple[str, str]]
    # The type parameters of each class that has some.
    parameters: dict[Ref, tuple[TypeParameterFacts, ...]]

    def is_static(self, ref: Ref) -> bool:
        """Return whether every instance of a class is static."""
        return ref in self.static


def find_facts(program: Program) -> Facts:
    """Compute the facts about a program."""
    return Facts(
        frozenset(ref for ref, node in program.classes.items() if _is_static(program, node)),
        program.graph.abstract,
        _donating_classes(program),
        late_imports(program),
        _type_parameters(program),
    )


def _has_only_static_fields(node: Class) -> bool:
    return all(field.role == "static" for field in node.fields)


def _is_static(program: Program, node: Class) -> bool:
    if not _has_only_static_fields(node):
        return False
    # A field of an abstract class only holds its subclasses.
    below = program.graph.subclasses(node.ref) if node.abstract else ()
    # Where fields decide nothing, the option does.
    says_dynamic = (node.abstract or not node.fields) and node.use == "dynamic"
    return not says_dynamic and all(_has_only_static_fields(program.classes[ref]) for ref in below)


def _donating_classes(program: Program) -> frozenset[Ref]:
    """Find the classes that donate an array, and propagate to those that hold them in donated
    fields.
    """
    own = [
        ref
        for ref, node in program.classes.items()
        if any(f.role == "donated" and may_hold_array(f.type) for f in node.fields)
    ]
    return frozenset(program.graph.propagate(own, "donated"))


def may_hold_array(type: Type, has_array: Callable[[Ref], bool] = lambda _: False) -> bool:
    """Return whether a value of a type may hold an array, itself or in an object of a class that
    has one.
    """
    return any(
        isinstance(part, Array | Anything | External | TypeParameter)
        or (isinstance(part, ClassType) and has_array(part.ref))
        for part in type.iter_held()
    )


def _type_parameters(program: Program) -> dict[Ref, tuple[TypeParameterFacts, ...]]:
    """Find the roles of type parameters: from the fields of their types to the classes that hold
    such classes.
    """

    def roles(of: _TypeVariable, known: Lookup[_TypeVariable, frozenset[Role]]) -> frozenset[Role]:
        ref, name = of
        fields = program.classes[ref].fields
        found = (_roles_of(program, known, f.type, f.role, name) for f in fields)
        return frozenset[Role]().union(*found)

    solution = FixedPoint(frozenset[Role](), roles)
    restricted = {
        Ref(module.name, typevar.name)
        for module in program.modules
        for typevar in module.typevars
        if typevar.bound is not None or typevar.constraints
    }
    facts: dict[Ref, tuple[TypeParameterFacts, ...]] = {}
    for module in program.modules:
        imported = {t.name: t.ref for t in module.imported_typevars}
        for node in (one for one in module.classes if one.type_parameters):
            facts[node.ref] = tuple(
                TypeParameterFacts(
                    name,
                    solution.of((node.ref, name)),
                    is_restricted=imported.get(name, Ref(module.name, name)) in restricted,
                )
                for name in node.type_parameters
            )
    return facts


def _roles_of(
    program: Program,
    known: Lookup[_TypeVariable, frozenset[Role]],
    type: Type,
    role: Role,
    name: str,
) -> set[Role]:
    """Return the roles in which a value of a type holds values of a type parameter."""
    if isinstance(type, TypeParameter):
        return {role} if type.name == name else set()
    if not isinstance(type, ClassType):
        return {r for part in type.held for r in _roles_of(program, known, part, role, name)}
    roles: set[Role] = set()
    parameters = program.classes[type.ref].type_parameters
    for parameter, argument in zip(parameters, type.arguments, strict=False):
        for inner in known((type.ref, parameter)):
            roles |= _roles_of(program, known, argument, inner, name)
    return roles


def tags_of(program: Program) -> dict[Ref, tuple[str, ...]]:
    """Return the tags of every class that tags a field, its own or one of an object
    that it holds.
    """
    own: dict[str, list[Ref]] = {}
    for ref, node in program.classes.items():
        for tag in (tag for f in node.fields for tag in f.tags):
            own.setdefault(tag, []).append(ref)
    tags: dict[Ref, tuple[str, ...]] = {}
    for tag, refs in sorted(own.items()):
        for ref in program.graph.propagate(refs, *TRACED):
            tags[ref] = (*tags.get(ref, ()), tag)
    return tags


def classes_with_init(program: Program) -> dict[Ref, None]:
    """Return the classes with a field that has `init=`, and those that hold their objects."""
    own = [
        ref
        for ref, node in program.classes.items()
        if any(field.init is not None for field in node.traced_fields)
    ]
    return program.graph.propagate(own, *TRACED)
