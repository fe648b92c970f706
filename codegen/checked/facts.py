"""What follows from a program as a whole: which classes are static, which modules import each other in a circle.

    class Grid: nx: static[int]    ->    facts.is_static(Ref("heat", "Grid"))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codegen.program.graph import components
from codegen.program.nodes import Class, Module, Program
from codegen.program.order import class_refs, constructed, required
from codegen.program.types import (
    Anything,
    Array,
    ClassType,
    EnumType,
    External,
    Ref,
    Type,
    TypeParameter,
    walk,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """Conclusions about a program."""

    static: frozenset[Ref]  # classes without a dynamic or donated field, in themselves and their subclasses
    donating: frozenset[Ref]  # classes that hold a donated field, at any depth
    late: frozenset[tuple[str, str]]  # (importer, imported) modules that need each other: imported when used

    def is_static(self, ref: Ref) -> bool:
        """Say whether every instance of a class is static."""
        return ref in self.static


def find_facts(program: Program) -> Facts:
    """Work out the facts about a program."""
    return Facts(_static(program), _donating(program), _late(program))


def _own_static(node: Class) -> bool:
    return all(field.role == "static" for field in node.fields)


def descendants(program: Program, ref: Ref) -> list[Ref]:
    """Return all subclasses of a class, nearest first."""
    found = list(program.subclasses.get(ref, ()))
    for child in found:
        found.extend(c for c in program.subclasses.get(child, ()) if c not in found)
    return found


def _static(program: Program) -> frozenset[Ref]:
    return frozenset(
        ref
        for ref, node in program.classes.items()
        if _own_static(node)
        # An abstract class stands for its subclasses, and for nothing else.
        and not (
            node.abstract
            and (node.use == "dynamic" or any(not _own_static(program.classes[d]) for d in descendants(program, ref)))
        )
    )


def _donating(program: Program) -> frozenset[Ref]:
    """Spread from the classes that donate an array to those that hold them in donated fields."""
    donating: set[Ref] = set()
    changed = True
    while changed:
        changed = False
        for ref, node in program.classes.items():
            if ref in donating:
                continue
            if any(f.role == "donated" and may_donate(f.type, donating) for f in node.fields):
                donating.add(ref)
                changed = True
    return frozenset(donating)


def may_donate(type: Type, donating: Iterable[Ref]) -> bool:
    """Say whether a value of a type in a donated place may hold a buffer to donate."""
    known = set(donating)
    return any(
        isinstance(t, Array | Anything | External | TypeParameter)
        or (isinstance(t, ClassType) and t.ref in known)
        for t in walk(type)
    )


def needed_modules(module: Module) -> set[str]:
    """Return the modules that must be imported before this one can define its classes and functions."""
    refs: set[Ref] = set()
    for node in module.classes:
        refs.update(required(node))
        for value in [f.default for f in node.fields]:
            refs.update(_enums(value))
    for function in module.functions:
        for parameter in function.parameters:
            refs.update(constructed(parameter.default))
            refs.update(_enums(parameter.default))
    return {ref.module for ref in refs} - {module.name}


def _enums(value: object) -> list[Ref]:
    from codegen.program.nodes import Construction, Entries, EnumMember, Items

    match value:
        case EnumMember():
            return [value.ref]
        case Construction():
            inner: list[object] = [*value.arguments, *(v for _, v in value.keywords)]
        case Items():
            inner = list(value.items)
        case Entries():
            inner = [v for pair in value.items for v in pair]
        case _:
            return []
    return [r for v in inner for r in _enums(v)]


def mentioned_modules(module: Module) -> set[str]:
    """Return every module that a module's types and values name."""
    refs: set[Ref] = set()
    types: list[Type] = [a.type for a in module.aliases]
    for node in module.classes:
        types += [f.type for f in node.fields] + [c.type for c in node.constants]
        for method in node.methods:
            types += [method.returns, *(p.type for p in method.parameters)]
    for function in module.functions:
        types += [function.returns, *(p.type for p in function.parameters)]
    for type in types:
        refs |= class_refs(type)
        refs |= {t.ref for t in walk(type) if isinstance(t, EnumType)}
    return ({ref.module for ref in refs} | needed_modules(module)) - {module.name}


def _late(program: Program) -> frozenset[tuple[str, str]]:
    """Find imports within circles of modules that can wait until they are used."""
    mentioned = {m.name: sorted(mentioned_modules(m)) for m in program.modules}
    late: set[tuple[str, str]] = set()
    for group in components(mentioned):
        for module in (m for m in program.modules if m.name in group and len(group) > 1):
            waiting = set(group) & set(mentioned[module.name]) - needed_modules(module)
            late.update((module.name, other) for other in waiting)
    return frozenset(late)
