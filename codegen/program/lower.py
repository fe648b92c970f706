"""Resolve the modules of a schema root into one program.

lower((ModuleDecl("heat", ...), ModuleDecl("materials", ...)))    ->    Program(modules=(...))
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.diagnostics import Code, Report
from codegen.options import naming_schema
from codegen.program.bases import base_chain, check_base_cycles, resolve_bases
from codegen.program.extents import BASES_MAX, Extents, check_expansion, is_base_too_large
from codegen.program.mutable import default_help, mutable_container, mutable_type_fault
from codegen.program.names import NameTable, Symbol, resolve_names
from codegen.program.nodes import (
    Alias,
    Class,
    ClassConstant,
    Enum,
    FactoryCall,
    Field,
    Function,
    ImportedTypeVariable,
    Member,
    Module,
    Parameter,
    Program,
    TypeVariable,
    Value,
)
from codegen.program.references import order_classes
from codegen.program.resolve_options import (
    resolve_factory,
    resolve_initializer,
    resolve_path,
    resolve_spec,
    resolve_tags,
)
from codegen.program.resolve_types import TypeResolver
from codegen.program.resolve_values import Place, refuse_default, resolve_value
from codegen.program.substitution import inherited_dims, inherited_fields
from codegen.program.types import (
    Anything,
    Array,
    Mapping,
    Ref,
    Sequence,
    Type,
    TypeParameter,
)
from codegen.schema import nodes as declarations
from codegen.schema.nodes import (
    ClassDecl,
    FieldDecl,
    FunctionDecl,
    ModuleDecl,
    ParameterDecl,
)
from codegen.schema.scope import Refused, accepted, attempt, each
from codegen.schema.vocabulary import LanguageWord
from codegen.source import NOWHERE, Span

Found = TypeVar("Found")


def lower(
    modules: tuple[ModuleDecl, ...], folders: frozenset[str] = frozenset()
) -> tuple[Program, Report]:
    """Return the program, and a report of every name that cannot be resolved.

    `folders` are the names of the schema root and of the output. No schema imports from them.
    """
    ordered = tuple(sorted(modules, key=lambda module: module.name))
    all_names = resolve_names(ordered, folders)
    lowering = _Lowering(all_names, Extents(all_names))
    lowering.resolve_aliases()
    program = Program(tuple(lowering.module(module) for module in ordered))
    check_base_cycles(program, all_names)
    check_expansion(program, all_names)
    return program, Report().merge(*(names.report for names in all_names.values()))


class _Lowering(Struct, frozen=True):
    """Lowers classes on demand, since a base must be known before its subclasses."""

    all_names: dict[str, NameTable]
    extents: Extents
    lowered: dict[Ref, Class | None] = field(default_factory=dict[Ref, Class | None])
    bases: dict[Ref, int] = field(default_factory=dict[Ref, int])  # how many bases each class has
    aliases: dict[Ref, Type | None] = field(default_factory=dict[Ref, Type | None])

    def resolve_aliases(self) -> None:
        """Resolve each alias after those that it names, so that a long chain needs no
        deep stack.
        """
        for ref in self.extents.aliases:
            names = self.all_names[ref.module]
            if symbol := names.symbol(ref.name, "alias"):
                attempt(self._resolver(names).alias, symbol)

    def module(self, decl: ModuleDecl) -> Module:
        """Lower one module."""
        with naming_schema(decl.source.path):
            return self._module(decl)

    def _module(self, decl: ModuleDecl) -> Module:
        names = self.all_names[decl.name]
        resolver = self._resolver(names)
        classes = [self.class_of(node.ref) for node in decl.classes]
        imported = [
            (symbol, one)
            for one in decl.imports
            if one.level and (symbol := names.symbol(one.name))
        ]
        return Module(
            name=decl.name,
            source=decl.source,
            doc=decl.doc,
            imports=tuple(one for one in decl.imports if one.level == 0),
            dims=decl.dims,
            typevars=tuple(_typevar(one, resolver) for one in decl.typevars),
            imported_typevars=tuple(
                ImportedTypeVariable(one.name, symbol.ref, span=one.span)
                for symbol, one in imported
                if symbol.kind == "type parameter"
            ),
            aliases=tuple(accepted(partial(_alias, resolver), decl.aliases)),
            enums=tuple(_enum(enum, names) for enum in decl.enums),
            classes=order_classes([node for node in classes if node is not None]),
            functions=tuple(accepted(partial(_function, resolver), decl.functions)),
            refs=tuple((symbol.ref, one.name) for symbol, one in imported),
        )

    def _resolver(self, names: NameTable) -> TypeResolver:
        return TypeResolver(names, self.all_names, self.extents, self.aliases)

    def class_of(self, ref: Ref) -> Class | None:
        """Lower a class once. Return None while it is being lowered: then it derives
        from itself.
        """
        if ref not in self.lowered:
            # Lower the bases first, so that a long chain of them needs no deep stack.
            for one in reversed(base_chain(ref, self.all_names, self.lowered)):
                self.lowered[one] = None
                self.lowered[one] = self._class(one)
        return self.lowered[ref]

    def _class(self, ref: Ref) -> Class | None:
        names = self.all_names[ref.module]
        symbol = names.symbol(ref.name)
        if symbol is None or not isinstance(symbol.decl, ClassDecl):
            # Its name is declared twice, which is already reported.
            return None
        decl = symbol.decl
        dims = tuple(d.name for d in decl.dims)
        resolver = self._resolver(names.in_class(dims))
        bases = resolve_bases(decl, resolver)
        parameters = resolver.type_parameters(decl, ref.module)
        parent = self.class_of(bases.base.ref) if bases.base is not None else None
        if bases.base is not None and (
            self._has_too_many_bases(ref, decl, bases.base.ref)
            or (parent and is_base_too_large(names, bases.base, parent, {*dims, *parameters}))
        ):
            bases, parent = replace(bases, base=None), None
        dims = (*dims, *inherited_dims(bases.base, parent, dims))
        resolver = self._resolver(names.in_class(dims))
        own_fields = tuple(accepted(partial(_field, resolver, ref), decl.fields))
        return Class(
            **decl.head,
            base=bases.base,
            mixins=bases.mixins,
            type_parameters=parameters,
            dims=dims,
            eq=decl.eq and (parent is None or parent.eq),
            init=decl.init and (parent is None or parent.init),
            own_fields=own_fields,
            fields=_with_inherited(inherited_fields(bases.base, parent), own_fields),
            constants=tuple(accepted(partial(_constant, resolver), decl.constants)),
            methods=tuple(accepted(partial(_function, resolver), decl.methods)),
            shares=(*(parent.shares if parent else ()), *decl.shares),
            reserved=(*(parent.reserved if parent else ()), *decl.reserved),
        )

    def _has_too_many_bases(self, ref: Ref, decl: ClassDecl, base: Ref) -> bool:
        """Return whether a class has too long a chain of bases. This is reported."""
        self.bases[ref] = self.bases.get(base, 0) + 1
        if self.bases[ref] <= BASES_MAX:
            return False
        del self.bases[ref]
        self.all_names[ref.module].add(
            Code.NESTED_TOO_DEEPLY,
            decl.span,
            f"the class `{ref.name}` has a chain of more than {BASES_MAX} bases",
            label="too many bases",
            advice="remove some of the classes in between, or make one of them a field",
        )
        return True


def _with_inherited(base: tuple[Field, ...], own: tuple[Field, ...]) -> tuple[Field, ...]:
    """Put the base's fields first. A field that is redeclared keeps its position in the base."""
    by_name = {f.name: f for f in own}
    return (*(by_name.pop(f.name, f) for f in base), *by_name.values())


# A resolved declaration is the one of the schema, with its expressions replaced.


def _alias(resolver: TypeResolver, decl: declarations.Alias[ast.expr]) -> Alias:
    return cast("Alias", replace(decl, type=resolver.alias(Symbol("alias", decl.ref, decl))))


def _typevar(decl: declarations.TypeVariable[ast.expr], resolver: TypeResolver) -> TypeVariable:
    bound = attempt(resolver.resolve, decl.bound) if decl.bound else None
    constraints = tuple(accepted(resolver.resolve, decl.constraints))
    return cast("TypeVariable", replace(decl, bound=bound, constraints=constraints))


def _enum(decl: declarations.Enum[ast.expr], names: NameTable) -> Enum:
    members = tuple(accepted(partial(_enum_member, names), decl.members))
    return cast("Enum", replace(decl, members=members))


def _enum_member(names: NameTable, member: declarations.Member[ast.expr]) -> Member:
    call = member.value
    meaning = names.find(call.func) if isinstance(call, ast.Call) else None
    is_auto = isinstance(meaning, LanguageWord) and meaning.kind == "auto"
    value = None if is_auto else resolve_value(names, call)
    return cast("Member", replace(member, value=value))


def _constant(
    resolver: TypeResolver, decl: declarations.ClassConstant[ast.expr, ast.expr]
) -> ClassConstant:
    try:
        type = resolver.resolve(decl.type)
    finally:  # Report the mistakes of the value, too.
        value = resolve_value(resolver.names, decl.value)
    return cast("ClassConstant", replace(decl, type=type, value=value))


def _function(resolver: TypeResolver, decl: FunctionDecl) -> Function:
    try:
        parameters = each(partial(_parameter, resolver), decl.parameters)
    finally:  # Report the mistakes of the result, too.
        returns = resolver.resolve(decl.returns)
    return cast("Function", replace(decl, parameters=parameters, returns=returns))


def _parameter(resolver: TypeResolver, decl: ParameterDecl) -> Parameter:
    type, default = _type_and_default(resolver, decl, f"the parameter `{decl.name}`")
    return cast("Parameter", replace(decl, type=type, default=default))


# --- fields and their defaults


def _field(resolver: TypeResolver, owner: Ref, decl: FieldDecl) -> Field:
    """Resolve one field with its default and options."""
    names = resolver.names
    options = dict(decl.options)

    def option(name: str, read: Callable[[NameTable, ast.expr], Found]) -> Found | None:
        return attempt(partial(read, names), options[name]) if name in options else None

    def span(name: str) -> Span:
        return names.source.span(options[name]) if name in options else NOWHERE

    factory = option("factory", partial(resolve_factory, decl))
    convert = option("convert", resolve_path)
    init = option("init", resolve_initializer)
    spec = option("spec", resolve_spec)
    tags = option("tag", resolve_tags) or ()
    type, default = _type_and_default(resolver, decl, f"the field `{decl.name}`")
    return Field(
        name=decl.name,
        role=decl.role,
        type=type,
        default=factory if "factory" in options else default,
        convert=convert,
        init=init,
        spec=spec,
        tags=tags,
        doc=decl.doc,
        owner=owner,
        was=decl.was,
        span=decl.span,
        role_span=decl.role_span,
        spec_span=span("spec"),
        tag_span=span("tag"),
    )


def _type_and_default(
    resolver: TypeResolver, decl: FieldDecl | ParameterDecl, what: str
) -> tuple[Type, Value | None]:
    """Return the type and the default of a field or of a parameter; the default is None after a
    mistake.

    Raises:
        Refused: if the type has a mistake.
    """
    type = attempt(resolver.resolve, decl.type)
    default = None
    if decl.default is not None:
        default = attempt(partial(_default, resolver.names, decl, type), decl.default)
        if default is None and type is not None and decl.role == "static":
            _check_mutable(resolver.names, type, what)
    if type is None:
        raise Refused
    if decl.role == "ref" and isinstance(type, Array):
        type = replace(type, is_ref=True, alias=None)
    return type, default


def _default(
    names: NameTable, decl: FieldDecl | ParameterDecl, type: Type | None, expr: ast.expr
) -> Value:
    is_field = isinstance(decl, FieldDecl)
    if isinstance(expr, ast.List | ast.Dict):
        factory = _empty_container_factory(type, expr) if is_field and decl.role != "static" else ""
        if factory:
            return FactoryCall("builtins", factory, span=names.source.span(expr))
        if advice := default_help(type, decl.role or "", is_field=is_field):
            raise refuse_default(names, expr, advice)
    place: Place = "static" if decl.role == "static" else ""
    # An unknown type may be an array.
    is_array = type is None or isinstance(type.without_none, Array)
    return resolve_value(names, expr, "array" if is_field and not place and is_array else place)


def _empty_container_factory(type: Type | None, expr: ast.List | ast.Dict) -> str:
    """Return the factory of `{}` and `[]` for each object; empty if they do not fit the type."""
    name = "list" if isinstance(expr, ast.List) else "dict"
    held = expr.elts if isinstance(expr, ast.List) else expr.keys
    members = type.options if type is not None else ()
    fits = any(
        isinstance(one, Anything | TypeParameter)
        or (isinstance(one, Sequence | Mapping) and name == mutable_container(one))
        for one in members
    )
    return name if fits and not held else ""


def _check_mutable(names: NameTable, type: Type, what: str) -> None:
    """Report a mutable type next to a default that is wrong and would hide this mistake."""
    for part in type.iter_held():
        if fault := mutable_type_fault(part, what):
            names.add(Code.MUTABLE_TYPE, part.span, *fault)
