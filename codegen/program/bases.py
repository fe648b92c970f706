"""Resolve the bases of a class.

class Plate(Base, Operators, Generic[T])    ->    Bases(base=Base, mixins=(Operators,))
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping
from typing import Final

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.program.graph import cycles, shortest_cycle
from codegen.program.names import NameTable
from codegen.program.nodes import Program
from codegen.program.resolve_types import TypeResolver
from codegen.program.types import ClassType, EnumType, External, Ref, Type, display_names
from codegen.schema.nodes import Alias, ClassDecl
from codegen.schema.scope import Fault, attempt
from codegen.schema.stub import head, items, name_of
from codegen.schema.vocabulary import MODULES_BY_HABIT, PYTREE_BASES, LanguageWord


class Bases(Struct, frozen=True):
    """At most one class of the program, and Python classes."""

    base: ClassType | None
    mixins: tuple[External, ...]


# Why an expression is not a base; the message follows "the class `Plate`".
_NO_CLASS: Final = Fault(
    "derives from something that is not a class",
    "not a class",
    "write a schema class, `Generic[T]`, or a Python class (a mixin) as the base",
)
_SECOND: Final = Fault(
    "has two schema classes as bases",
    "only one is allowed",
    "keep one. Make the other a field, or a mixin: a Python class without fields",
)
_TWICE: Final = Fault("has the same mixin twice", "given again here", "remove one of the two")
_OBJECT: Final = Fault(
    "has `object` as a base", "`object` is a base of every class", "remove `object`"
)
_PYTREE: Final = Fault(
    "derives from the pytree base class of another library",
    "this base would register the class as a pytree again",
    "remove this base: every class becomes a dataclass and a pytree",
)


def resolve_bases(decl: ClassDecl, resolver: TypeResolver) -> Bases:
    """Return the bases of a class. Report every expression that cannot be a base."""
    base: ClassType | None = None
    mixins: list[External] = []
    for expr in decl.bases:
        meaning = resolver.names.find(head(expr))
        if isinstance(meaning, LanguageWord) and meaning.kind == "generic":
            _check_generic(resolver.names, expr)
            continue
        fault, type = _fault_of_name(resolver.names, head(expr)), None
        if fault is None:
            type = attempt(resolver.resolve, expr)
            fault = _fault_of_type(type, base, mixins) if type is not None else None
        if fault is not None:
            message = f"the class `{decl.name}` {fault.message}"
            resolver.names.add(Code.WRONG_BASE, expr, message, fault.label, fault.advice)
        if isinstance(type, External) and fault is not _PYTREE:
            mixins.append(type)
        elif isinstance(type, ClassType) and fault is None:
            base = type
    return Bases(base, tuple(mixins))


def _fault_of_name(names: NameTable, expr: ast.expr) -> Fault | None:
    """Return the fault of `object`, or of `eqx.Module` where `eqx` is not imported."""
    match expr:
        case ast.Name(id="object") if names.find(expr) is None:
            return _OBJECT
        case ast.Attribute(value=ast.Name(id=module), attr=name) if names.find(module) is None:
            is_pytree = f"{MODULES_BY_HABIT.get(module, module)}.{name}" in PYTREE_BASES
            return _PYTREE if is_pytree else None
        case _:
            return None


def _fault_of_type(type: Type, base: ClassType | None, mixins: list[External]) -> Fault | None:
    """Return the fault of a base that comes after others."""
    match type:
        case External() if f"{type.module}.{type.name}" in PYTREE_BASES:
            return _PYTREE
        case External():
            return _TWICE if type in mixins else None
        case ClassType(stacked=()):
            return None if base is None else _SECOND
        case EnumType(ref=Ref(name=name)):
            advice = f"make `{name}` the type of a field: `{name.lower()}: static[{name}]`"
            return Fault(f"derives from the enum `{name}`", "an enum", advice)
        case _:
            return _NO_CLASS


def _check_generic(names: NameTable, expr: ast.expr) -> None:
    """Check that `Generic[T]` holds type parameters, each once."""
    arguments = items(expr)
    wrong: ast.expr | None = None if arguments else expr
    for i, item in enumerate(arguments):
        if isinstance(item, ast.Name) and names.find(item) is None:
            advice = f'declare it in the module: `{item.id} = TypeVar("{item.id}")`'
            names.report_undefined(item, advice, "unknown type parameter")
        elif not names.symbol(item, "type parameter") or name_of(item) in map(
            name_of, arguments[:i]
        ):
            wrong = item
    if wrong is not None:
        names.add(
            Code.WRONG_TYPE_ARGUMENTS,
            wrong,
            "an argument of `Generic` is not a type parameter, or is given twice"
            if arguments
            else "`Generic` needs type parameters in brackets",
            label="expected type parameters, each once",
            advice='write `class Box(Generic[T])`, with `T = TypeVar("T")` in the module',
        )


def base_chain(ref: Ref, all_names: Mapping[str, NameTable], known: Container[Ref]) -> list[Ref]:
    """Return a class and its bases in order, up to one that is known. A cycle is followed once."""
    chain: dict[Ref, None] = {}
    current: Ref | None = ref
    while current is not None and current not in chain and current not in known:
        chain[current] = None
        current = _base_ref(current, all_names)
    return list(chain)


def _base_ref(ref: Ref, all_names: Mapping[str, NameTable]) -> Ref | None:
    """Return the class of the program that a class names as its base, directly or by an alias."""
    names = all_names[ref.module]
    symbol = names.symbol(ref.name)
    passed: set[Ref] = set()
    for expr in symbol.decl.bases if symbol and isinstance(symbol.decl, ClassDecl) else ():
        meaning = names.symbol(head(expr))
        while meaning is not None and isinstance(meaning.decl, Alias):
            if meaning.ref in passed:
                return None
            passed.add(meaning.ref)
            meaning = all_names[meaning.ref.module].symbol(head(meaning.decl.type))
        if meaning is not None and meaning.kind == "class":
            return meaning.ref
    return None


def check_base_cycles(program: Program, all_names: Mapping[str, NameTable]) -> None:
    """Report every cycle of classes that derive from each other, once."""
    classes = program.classes
    base_of = {ref: classes[ref].base for ref in sorted(classes)}
    edges = {
        ref: [base.ref] if base is not None and base.ref in classes else []
        for ref, base in base_of.items()
    }
    for group in cycles(edges):
        round_trip = shortest_cycle(edges, group)
        first = classes[round_trip[0]]
        all_names[first.ref.module].add(
            Code.BASE_CYCLE,
            first.base.span if first.base else first.span,
            f"the class `{first.ref.name}` is a base of itself",
            label=" -> ".join(display_names(*round_trip)),
            advice="remove one of these base classes",
        )
