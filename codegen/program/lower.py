"""Resolve the modules of a schema root into one program.

lower((ModuleDecl("heat", ...), ModuleDecl("materials", ...)))    ->    Program(modules=(...))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.diagnostics import Code, Report
from codegen.program.bases import chain, check_base_cycles, resolve_bases
from codegen.program.budget import BASES_MAX, Extents, base_fault, check_expansion, report_growth
from codegen.program.mutable import default_help, given_as, mutable
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
from codegen.program.resolve_values import Place, resolve_value
from codegen.program.substitution import inherited_dims, inherited_fields
from codegen.program.types import (
    Anything,
    Array,
    ClassType,
    Mapping,
    Ref,
    Sequence,
    Type,
    TypeParameter,
    Union,
    iter_held,
    optional,
)
from codegen.schema import nodes as declarations
from codegen.schema.nodes import ClassDecl, FieldDecl, FunctionDecl, ModuleDecl, ParameterDecl
from codegen.schema.stub import name_of
from codegen.schema.vocabulary import Word
from codegen.source import NOWHERE


def lower(
    modules: tuple[ModuleDecl, ...], folders: frozenset[str] = frozenset()
) -> tuple[Program, Report]:
    """The program, and every name that leads nowhere.

    `folders` are the names of the schema root and of the output, from which no schema imports.
    """
    ordered = tuple(sorted(modules, key=lambda module: module.name))
    all_names = resolve_names(ordered, folders)
    lowering = _Lowering(all_names, Extents(all_names))
    program = Program(tuple(lowering.module(module) for module in ordered))
    check_base_cycles(program, all_names)
    check_expansion(program, all_names)
    return program, Report().merge(*(names.scope.report for names in all_names.values()))


class _Lowering(Struct, frozen=True):
    """Classes are lowered on demand, since a base must be known before its subclasses."""

    all_names: dict[str, NameTable]
    extents: Extents
    done: dict[Ref, Class | None] = field(default_factory=dict[Ref, Class | None])
    bases: dict[Ref, int] = field(default_factory=dict[Ref, int])  # how many each class has
    aliases: dict[Ref, Type | None] = field(default_factory=dict[Ref, Type | None])

    def module(self, decl: ModuleDecl) -> Module:
        """Lower one module."""
        names = self.all_names[decl.name]
        resolver = self._resolver(names)
        classes = [self.class_of(node.ref) for node in decl.classes]
        functions = [lower_function(function, resolver) for function in decl.functions]
        return Module(
            name=decl.name,
            source=decl.source,
            doc=decl.doc,
            imports=tuple(one for one in decl.imports if one.level == 0),
            dims=decl.dims,
            typevars=tuple(_typevars(decl, resolver)),
            imported_typevars=tuple(_imported_typevars(decl, names)),
            aliases=tuple(_aliases(decl, resolver)),
            enums=tuple(_enum(enum, names) for enum in decl.enums),
            classes=order_classes([node for node in classes if node is not None]),
            functions=tuple(function for function in functions if function is not None),
            refs=tuple(_refs(decl, names)),
        )

    def _resolver(self, names: NameTable, dims: tuple[str, ...] = ()) -> TypeResolver:
        return TypeResolver(names, self.all_names, self.extents, self.aliases, frozenset(dims))

    def class_of(self, ref: Ref) -> Class | None:
        """Lower a class once; None while it is being lowered: it derives from itself then."""
        if ref not in self.done:
            # The bases first, so that a long chain of them takes no long stack.
            for one in reversed(chain(ref, self.all_names, self.done)):
                self.done[one] = None
                self.done[one] = self._class(one)
        return self.done[ref]

    def _class(self, ref: Ref) -> Class | None:
        names = self.all_names[ref.module]
        symbol = names.find(ref.name)
        decl = symbol.decl if isinstance(symbol, Symbol) else None
        if not isinstance(decl, ClassDecl):
            # Its name is declared twice, which was reported.
            return None
        dims = tuple(d.name for d in decl.dims)
        resolver = self._resolver(names, dims)
        bases = resolve_bases(decl, resolver)
        parameters = resolver.type_parameters(decl, ref.module)
        parent = self.class_of(bases.base.ref) if bases.base is not None else None
        if bases.base is not None and (
            self._is_too_far(ref, decl, bases.base.ref)
            or self._is_too_large(names, bases.base, parent, {*dims, *parameters})
        ):
            bases, parent = replace(bases, base=None), None
        dims = (*dims, *inherited_dims(bases.base, parent, dims))
        resolver = self._resolver(names, dims)
        own = [lower_field(f, ref, resolver) for f in decl.fields]
        own_fields = tuple(f for f in own if f is not None)
        methods = [lower_function(method, resolver) for method in decl.methods]
        return Class(
            ref=ref,
            base=bases.base,
            mixins=bases.mixins,
            type_parameters=parameters,
            dims=dims,
            abstract=decl.abstract,
            eq=decl.eq and (parent is None or parent.eq),
            use=decl.use,
            kw_only=decl.kw_only,
            draft=decl.draft,
            registration=decl.registration,
            own_fields=own_fields,
            fields=_with_inherited(inherited_fields(bases.base, parent), own_fields),
            constants=lower_constants(decl, resolver),
            methods=tuple(method for method in methods if method is not None),
            shares=(*(parent.shares if parent else ()), *decl.shares),
            reserved=(*(parent.reserved if parent else ()), *decl.reserved),
            migrations=decl.migrations,
            doc=decl.doc,
            source=names.module.source,
            was=decl.was,
            span=decl.span,
            use_span=decl.use_span,
        )

    def _is_too_far(self, ref: Ref, decl: ClassDecl, base: Ref) -> bool:
        """Whether a class has too many bases, one through the other, which is reported."""
        self.bases[ref] = self.bases.get(base, 0) + 1
        if self.bases[ref] <= BASES_MAX:
            return False
        del self.bases[ref]
        self.all_names[ref.module].scope.add(
            Code.NESTED_TOO_DEEPLY,
            decl.span,
            f"the class `{ref.name}` has more than {BASES_MAX} bases, one through the other",
            label="one too many",
            advice="leave some of the classes between out, or hold one as a field",
        )
        return True

    def _is_too_large(
        self, names: NameTable, base: ClassType, parent: Class | None, parameters: set[str]
    ) -> bool:
        """Whether the fields of a base are too large in the terms of a class, which is reported."""
        fault = base_fault(base, parent, parameters) if parent is not None else ""
        if fault:
            report_growth(names, base, fault)
        return bool(fault)


def _with_inherited(base: tuple[Field, ...], own: tuple[Field, ...]) -> tuple[Field, ...]:
    """Put the base's fields first; one that is declared anew keeps the base's place."""
    by_name = {f.name: f for f in own}
    return (*(by_name.pop(f.name, f) for f in base), *by_name.values())


def _refs(decl: ModuleDecl, names: NameTable) -> Iterator[tuple[Ref, str]]:
    """What a module imports from other schemas, and what it calls it."""
    for imported in decl.imports:
        meaning = names.find(imported.name)
        if imported.level and isinstance(meaning, Symbol):
            yield meaning.ref, imported.name


def _imported_typevars(decl: ModuleDecl, names: NameTable) -> Iterator[ImportedTypeVariable]:
    for imported in decl.imports:
        meaning = names.find(imported.name)
        if imported.level and isinstance(meaning, Symbol) and meaning.kind == "type parameter":
            yield ImportedTypeVariable(imported.name, meaning.ref, imported.span)


def _aliases(decl: ModuleDecl, resolver: TypeResolver) -> Iterator[Alias]:
    for alias in decl.aliases:
        type = resolver.alias(Symbol("alias", alias.ref, alias))
        if type is not None:
            yield Alias(alias.ref, type, alias.doc, alias.was, alias.span)


def _typevars(decl: ModuleDecl, resolver: TypeResolver) -> Iterator[TypeVariable]:
    for typevar in decl.typevars:
        bound = resolver.resolve(typevar.bound) if typevar.bound else None
        constraints = [resolver.resolve(one) for one in typevar.constraints]
        found = tuple(one for one in constraints if one is not None)
        yield TypeVariable(typevar.name, bound, found, typevar.span)


def _enum(decl: declarations.Enum[ast.expr], names: NameTable) -> Enum:
    members = [_enum_member(member, names) for member in decl.members]
    found = tuple(member for member in members if member is not None)
    return Enum(decl.ref, decl.kind, found, decl.doc, decl.was, decl.span)


def _enum_member(member: declarations.Member[ast.expr], names: NameTable) -> Member | None:
    call = member.value
    meaning = names.find(name_of(call.func)) if isinstance(call, ast.Call) else None
    if isinstance(meaning, Word) and meaning.kind == "auto":
        return Member(member.name, None, member.doc, member.was, member.span)
    value = resolve_value(names, member.value)
    if value is None:
        return None
    return Member(member.name, value, member.doc, member.was, member.span)


def _default(
    names: NameTable,
    decl: FieldDecl | ParameterDecl,
    type: Type | None,
) -> Value | None:
    """The value of a default, None where there is none."""
    expr = decl.default
    if expr is None:
        return None
    advice = ""
    if isinstance(expr, ast.List | ast.Dict):
        if made := _made(names, decl, type, expr):
            return made
        is_field = isinstance(decl, FieldDecl)
        advice = default_help(type, decl.role or "", is_field=is_field)
    if not advice:
        place: Place = "static" if decl.role == "static" else ""
        is_initialised = isinstance(decl, FieldDecl) and not place and _is_array(type)
        return resolve_value(names, expr, "array" if is_initialised else place)
    names.scope.add(
        Code.WRONG_DEFAULT,
        expr,
        "this cannot be a default",
        label="not a value of the language",
        advice=advice,
    )
    return None


def _made(
    names: NameTable, decl: FieldDecl | ParameterDecl, type: Type | None, expr: ast.List | ast.Dict
) -> FactoryCall | None:
    """What makes `{}` and `[]` anew for each object; None where they are no default."""
    name = "list" if isinstance(expr, ast.List) else "dict"
    held = expr.elts if isinstance(expr, ast.List) else expr.keys
    if held or type is None or decl.role == "static" or not isinstance(decl, FieldDecl):
        return None
    members = type.members if isinstance(type, Union) else (type,)
    fits = any(
        isinstance(one, Anything | TypeParameter)
        or (isinstance(one, Sequence | Mapping) and name == given_as(one))
        for one in members
    )
    return FactoryCall("builtins", name, names.scope.source.span(expr)) if fits else None


def _is_array(type: Type | None) -> bool:
    """Whether `init` may make what a type holds; what is unknown may be an array."""
    return type is None or isinstance(optional(type) or type, Array)


def lower_field(decl: FieldDecl, owner: Ref, resolver: TypeResolver) -> Field | None:
    """Resolve one field with its default and options."""
    names = resolver.names
    type = resolver.resolve(decl.type)
    default = _default(names, decl, type)
    if decl.default is not None and default is None:
        _check_mutable(names, decl, type, f"the field `{decl.name}`")
    options = {option.name: option.value for option in decl.options}
    names_of = ("convert", "factory", "init", "spec", "tag")
    convert, factory, init, spec, tag = map(options.get, names_of)
    if factory is not None:
        default = resolve_factory(names, factory, decl)
    path = resolve_path(names, convert) if convert else None
    initializer = resolve_initializer(names, init) if init else None
    entries = resolve_spec(names, spec) if spec else None
    tags = resolve_tags(names, tag) if tag else ()
    if type is None:
        return None
    return Field(
        name=decl.name,
        role=decl.role,
        type=type,
        default=default,
        convert=path,
        init=initializer,
        spec=entries,
        tags=tags,
        doc=decl.doc,
        owner=owner,
        was=decl.was,
        span=decl.span,
        role_span=decl.role_span,
        spec_span=names.scope.source.span(spec) if spec else NOWHERE,
        tag_span=names.scope.source.span(tag) if tag else NOWHERE,
    )


def _check_mutable(
    names: NameTable, decl: FieldDecl | ParameterDecl, type: Type | None, what: str
) -> None:
    """Report a mutable type beside a default that is none, and that would hide it."""
    if decl.role != "static" or type is None:
        return
    for part in iter_held(type):
        if fault := mutable(part, what):
            names.scope.add(
                Code.MUTABLE_TYPE,
                part.span,
                fault.message,
                label=fault.label,
                advice=fault.advice,
            )


def lower_constants(decl: ClassDecl, resolver: TypeResolver) -> tuple[ClassConstant, ...]:
    """Resolve the constants of a class."""
    found: list[ClassConstant] = []
    for constant in decl.constants:
        type = resolver.resolve(constant.type)
        value = resolve_value(resolver.names, constant.value)
        if type is not None and value is not None:
            found.append(ClassConstant(constant.name, type, value, constant.doc, constant.span))
    return tuple(found)


def lower_function(decl: FunctionDecl, resolver: TypeResolver) -> Function | None:
    """Resolve a function or method."""
    parameters = [_parameter(parameter, resolver) for parameter in decl.parameters]
    returns = resolver.resolve(decl.returns)
    found = tuple(parameter for parameter in parameters if parameter is not None)
    if returns is None or len(found) != len(parameters):
        return None
    return Function(decl.name, decl.impl, found, returns, decl.kind, decl.doc, decl.was, decl.span)


def _parameter(decl: ParameterDecl, resolver: TypeResolver) -> Parameter | None:
    type = resolver.resolve(decl.type)
    default = _default(resolver.names, decl, type)
    if decl.default is not None and default is None:
        _check_mutable(resolver.names, decl, type, f"the parameter `{decl.name}`")
    if type is None:
        return None
    return Parameter(
        decl.name, decl.role, type, default, decl.keyword_only, decl.span, decl.role_span
    )
