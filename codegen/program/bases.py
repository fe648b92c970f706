"""Resolve what stands in the parentheses of a class.

class Plate(Base, Operators, Generic[T])    ->    Bases(base=Base, mixins=(Operators,))
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.program.graph import cycles, shortest_cycle
from codegen.program.names import NameTable, Symbol
from codegen.program.nodes import Program
from codegen.program.resolve_types import TypeResolver
from codegen.program.types import ClassType, EnumType, External, Ref, display_names
from codegen.schema.nodes import Alias, ClassDecl
from codegen.schema.stub import head, items, name_of
from codegen.schema.vocabulary import MODULES_BY_HABIT, PYTREE_BASES, Word


class Bases(Struct, frozen=True):
    """At most one class of the program, and Python classes."""

    base: ClassType | None
    mixins: tuple[External, ...]


def resolve_bases(decl: ClassDecl, resolver: TypeResolver) -> Bases:
    """The bases of a class; what cannot be one is reported."""
    base: ClassType | None = None
    mixins: list[External] = []
    for expr in decl.bases:
        first = head(expr)
        meaning = resolver.names.find(name_of(first))
        if isinstance(meaning, Word) and meaning.kind == "generic":
            _check_generic(resolver, expr)
            continue
        if name_of(first) == "object" and meaning is None:
            _refuse_object(decl, resolver.names, expr)
            continue
        if _forgotten(resolver.names, first) in PYTREE_BASES:
            _refuse_pytree(decl, resolver.names, expr)
            continue
        type = resolver.resolve(expr)
        if isinstance(type, External) and f"{type.module}.{type.name}" in PYTREE_BASES:
            _refuse_pytree(decl, resolver.names, expr)
        elif isinstance(type, External):
            if type in mixins:
                _refuse_twice(decl, resolver.names, expr)
            mixins.append(type)
        elif isinstance(type, ClassType) and base is None and not type.stacked:
            base = type
        elif isinstance(type, EnumType):
            _refuse_enum(decl, resolver.names, expr, type.ref.name)
        elif type is not None:
            is_class = isinstance(type, ClassType) and not type.stacked
            _refuse(decl, resolver.names, expr, is_second=is_class)
    return Bases(base, tuple(mixins))


def _check_generic(resolver: TypeResolver, expr: ast.expr) -> None:
    """`Generic[T]` holds type parameters, each once."""
    names = resolver.names
    given = items(expr)
    wrong: ast.expr | None = None if given else expr
    for i, item in enumerate(given):
        meaning = names.find(name_of(item))
        if isinstance(item, ast.Name) and meaning is None:
            names.scope.add_once(
                Code.UNKNOWN_NAME,
                item.id,
                item,
                f"`{item.id}` is not defined",
                label="unknown type parameter",
                advice=f'declare it in the module: `{item.id} = TypeVar("{item.id}")`',
            )
        elif (
            not isinstance(meaning, Symbol)
            or meaning.kind != "type parameter"
            or name_of(item) in map(name_of, given[:i])
        ):
            wrong = item
    if wrong is not None:
        names.scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            wrong,
            "`Generic` takes type parameters",
            label="not a type parameter, or one that was there before",
            advice='write `class Box(Generic[T])`, with `T = TypeVar("T")` in the module',
        )


def _refuse(decl: ClassDecl, names: NameTable, expr: ast.expr, *, is_second: bool) -> None:
    names.scope.add(
        Code.WRONG_BASE,
        expr,
        f"the class `{decl.name}` has two schema classes as bases"
        if is_second
        else f"the class `{decl.name}` derives from something that is no class",
        label="one too many" if is_second else "not a class",
        advice="keep one; make the other a field, or a mixin: a Python class without fields"
        if is_second
        else "a base is a schema class, `Generic[T]`, or a Python class as a mixin",
    )


def _refuse_enum(decl: ClassDecl, names: NameTable, expr: ast.expr, enum: str) -> None:
    names.scope.add(
        Code.WRONG_BASE,
        expr,
        f"the class `{decl.name}` derives from the enum `{enum}`",
        label="an enum",
        advice=f"make it a field: `{enum.lower()}: static[{enum}]`; an enum is never a base",
    )


def _refuse_object(decl: ClassDecl, names: NameTable, expr: ast.expr) -> None:
    names.scope.add(
        Code.WRONG_BASE,
        expr,
        f"the class `{decl.name}` names `object` as a base",
        label="a base of every class anyway",
        advice="leave `object` out",
    )


def _forgotten(names: NameTable, expr: ast.expr) -> str:
    """The full name of `eqx.Module` if `eqx` is not imported; empty for anything else."""
    match expr:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if names.find(module) is None:
            return f"{MODULES_BY_HABIT.get(module, module)}.{name}"
        case _:
            return ""


def _refuse_pytree(decl: ClassDecl, names: NameTable, expr: ast.expr) -> None:
    names.scope.add(
        Code.WRONG_BASE,
        expr,
        f"the class `{decl.name}` derives from another library's base of pytrees",
        label="it would make a pytree of its own of the class",
        advice="leave it out: every class becomes a dataclass and a pytree",
    )


def _refuse_twice(decl: ClassDecl, names: NameTable, expr: ast.expr) -> None:
    names.scope.add(
        Code.WRONG_BASE,
        expr,
        f"the class `{decl.name}` has the same mixin twice",
        label="one too many",
        advice="leave one of them out",
    )


def chain(ref: Ref, all_names: Mapping[str, NameTable], known: Container[Ref]) -> list[Ref]:
    """A class and its bases, base by base, up to one that is known; a round is gone once."""
    found: dict[Ref, None] = {}
    current: Ref | None = ref
    while current is not None and current not in found and current not in known:
        found[current] = None
        current = _named_base(current, all_names)
    return list(found)


def _named_base(ref: Ref, all_names: Mapping[str, NameTable]) -> Ref | None:
    """The class of the program that a class names as its base, perhaps by an alias."""
    names = all_names[ref.module]
    symbol = names.find(ref.name)
    passed: set[Ref] = set()
    for expr in (
        symbol.decl.bases
        if isinstance(symbol, Symbol) and isinstance(symbol.decl, ClassDecl)
        else ()
    ):
        meaning = _symbol(expr, names)
        while meaning is not None and isinstance(meaning.decl, Alias):
            if meaning.ref in passed:
                return None
            passed.add(meaning.ref)
            meaning = _symbol(meaning.decl.type, all_names[meaning.ref.module])
        if meaning is not None and meaning.kind == "class":
            return meaning.ref
    return None


def _symbol(expr: ast.expr, names: NameTable) -> Symbol | None:
    meaning = names.find(name_of(head(expr)))
    return meaning if isinstance(meaning, Symbol) else None


def check_base_cycles(program: Program, all_names: Mapping[str, NameTable]) -> None:
    """Report every round of classes that derive from each other, once."""
    classes = program.classes
    base_of = {ref: classes[ref].base for ref in sorted(classes)}
    edges = {
        ref: [base.ref] if base is not None and base.ref in classes else []
        for ref, base in base_of.items()
    }
    for group in cycles(edges):
        round_trip = shortest_cycle(edges, group)
        first = classes[round_trip[0]]
        all_names[first.ref.module].scope.add(
            Code.BASE_CYCLE,
            first.base.span if first.base else first.span,
            f"the class `{first.ref.name}` is a base of itself",
            label=" -> ".join(display_names(*round_trip)),
            advice="remove one of these bases",
        )
