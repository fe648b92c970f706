"""What follows from a program as a whole: which classes are static, which modules are in a circle.

class Grid: nx: static[int]    ->    facts.is_static(Ref("heat", "Grid"))
"""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct

from codegen.check.imports import late_imports
from codegen.program.nodes import Class, Program
from codegen.program.types import (
    Anything,
    Array,
    ClassType,
    External,
    Ref,
    Type,
    TypeParameter,
    parts,
    walk,
)
from codegen.schema.nodes import Role


class Parameter(Struct, frozen=True):
    """A type parameter, as its class has it."""

    name: str
    roles: frozenset[Role]  # as in `Facts.parameter_roles`
    is_restricted: bool  # by a bound or by constraints


class Facts(Struct, frozen=True):
    """Conclusions about a program."""

    # Classes without a dynamic or donated field, in themselves or in a subclass they stand for.
    static: frozenset[Ref]
    # Classes that no object is exactly of.
    abstract: frozenset[Ref]
    # Classes that hold a donated array, at any depth, and abstract ones below which is such a class.
    donating: frozenset[Ref]
    # (importer, imported): modules that need each other, imported when they are used.
    late: frozenset[tuple[str, str]]
    # The roles in which a class, or one that it holds, has values of its type parameter.
    parameter_roles: dict[tuple[Ref, str], frozenset[Role]]
    # The type parameters of each class that has some.
    parameters: dict[Ref, tuple[Parameter, ...]]

    def is_static(self, ref: Ref) -> bool:
        """Whether every instance of a class is static."""
        return ref in self.static


def find_facts(program: Program) -> Facts:
    """Work out the facts about a program."""
    roles = _parameter_roles(program)
    return Facts(
        _static(program),
        frozenset(ref for ref, node in program.classes.items() if node.abstract),
        _donating(program),
        late_imports(program),
        roles,
        _parameters(program, roles),
    )


def _own_static(node: Class) -> bool:
    return all(field.role == "static" for field in node.fields)


def descendants(program: Program, ref: Ref) -> list[Ref]:
    """All subclasses of a class, nearest first."""
    found = list(program.subclasses.get(ref, ()))
    for child in found:  # and those that are found meanwhile; each class has one base
        found.extend(program.subclasses.get(child, ()))
    return found


def _static(program: Program) -> frozenset[Ref]:
    return frozenset(ref for ref, node in program.classes.items() if _is_static(program, node))


def _is_static(program: Program, node: Class) -> bool:
    if not _own_static(node):
        return False
    # An abstract class stands for its subclasses, and for nothing else.
    below = descendants(program, node.ref) if node.abstract else ()
    # Where fields decide nothing, the option does.
    says_dynamic = (node.abstract or not node.fields) and node.use == "dynamic"
    return not says_dynamic and all(_own_static(program.classes[ref]) for ref in below)


def _donating(program: Program) -> frozenset[Ref]:
    """Spread from the classes that donate an array to those that hold them in donated fields."""
    donating: set[Ref] = set()
    changed = True
    while changed:
        changed = False
        for ref, node in program.classes.items():
            if ref in donating:
                continue
            # An abstract class stands for its subclasses.
            below = descendants(program, ref) if node.abstract else ()
            if any(r in donating for r in below) or any(
                f.role == "donated" and may_donate(f.type, donating) for f in node.fields
            ):
                donating.add(ref)
                changed = True
    return frozenset(donating)


def may_donate(type: Type, donating: Container[Ref]) -> bool:
    """Whether a value of a type in a donated place may hold a buffer to donate."""
    return any(
        isinstance(part, Array | Anything | External | TypeParameter)
        or (isinstance(part, ClassType) and part.ref in donating)
        for part in walk(type)
    )


def _parameter_roles(program: Program) -> dict[tuple[Ref, str], frozenset[Role]]:
    """Spread from the fields of a type parameter's type to the classes that hold such classes."""
    roles: dict[tuple[Ref, str], frozenset[Role]] = {
        (ref, name): frozenset()
        for ref, node in program.classes.items()
        for name in node.type_parameters
    }
    changed = bool(roles)
    while changed:
        changed = False
        for ref, node in program.classes.items():
            for name in node.type_parameters:
                found: frozenset[Role] = frozenset().union(
                    *(_roles_of(program, roles, f.type, f.role, name) for f in node.fields)
                )
                changed = changed or found != roles[ref, name]
                roles[ref, name] = found
    return roles


def _parameters(
    program: Program, roles: dict[tuple[Ref, str], frozenset[Role]]
) -> dict[Ref, tuple[Parameter, ...]]:
    declared = {Ref(m.name, t.name): t for m in program.modules for t in m.typevars}
    found: dict[Ref, tuple[Parameter, ...]] = {}
    for module in program.modules:
        imported = {t.name: t.ref for t in module.imported_typevars}
        for node in module.classes:
            typevars = [
                (name, declared.get(imported.get(name, Ref(module.name, name))))
                for name in node.type_parameters
            ]
            found[node.ref] = tuple(
                Parameter(
                    name,
                    roles[node.ref, name],
                    is_restricted=t is not None and (t.bound is not None or bool(t.constraints)),
                )
                for name, t in typevars
            )
    return {ref: parameters for ref, parameters in found.items() if parameters}


def _roles_of(
    program: Program,
    roles: dict[tuple[Ref, str], frozenset[Role]],
    type: Type,
    role: Role,
    name: str,
) -> set[Role]:
    """The roles in which a value of a type holds values of a type parameter."""
    if isinstance(type, TypeParameter):
        return {role} if type.name == name else set()
    if not isinstance(type, ClassType):
        return {r for part in parts(type) for r in _roles_of(program, roles, part, role, name)}
    found: set[Role] = set()
    parameters = program.classes[type.ref].type_parameters
    for parameter, argument in zip(parameters, type.arguments, strict=False):
        for inner in roles[type.ref, parameter]:
            found |= _roles_of(program, roles, argument, inner, name)
    return found
