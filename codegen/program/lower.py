"""Resolve the modules of a schema root into one program.

    lower((ModuleDecl("heat", ...), ModuleDecl("materials", ...)))    ->    Program(modules=(...))
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Diagnostic, Report
from codegen.program.names import Names, Symbol, resolve_names
from codegen.program.nodes import (
    Alias,
    Class,
    ClassConstant,
    Dimension,
    Enum,
    Field,
    Function,
    Import,
    Member,
    Module,
    Parameter,
    Program,
    TypeVariable,
)
from codegen.program.order import order_classes
from codegen.program.resolve_types import TypeResolver
from codegen.program.resolve_values import (
    resolve_initializer,
    resolve_path,
    resolve_spec,
    resolve_value,
)
from codegen.program.types import ClassType, External, Ref
from codegen.schema.nodes import (
    ClassDecl,
    EnumDecl,
    FieldDecl,
    FunctionDecl,
    ModuleDecl,
    ParameterDecl,
)
from codegen.schema.vocabulary import Word
from codegen.syntax import nodes as syntax


def lower(modules: tuple[ModuleDecl, ...]) -> tuple[Program, Report]:
    """Return the program, and every name that leads nowhere."""
    ordered = tuple(sorted(modules, key=lambda m: m.name))
    lowering = _Lowering(resolve_names(ordered))
    lowered = tuple(lowering.module(module) for module in ordered)
    problems: list[Diagnostic] = []
    for names in lowering.all_names.values():
        problems.extend(names.scope.problems)
    return Program(lowered), Report(problems)


@dataclass(slots=True)
class _Lowering:
    """Classes are lowered on demand, since a base must be known before its subclasses."""

    all_names: dict[str, Names]
    done: dict[Ref, Class | None] = field(default_factory=dict[Ref, Class | None])

    def module(self, decl: ModuleDecl) -> Module:
        names = self.all_names[decl.name]
        resolver = TypeResolver(names, self.all_names)
        classes = [self.class_of(Ref(decl.name, c.name)) for c in decl.classes]
        aliases: list[Alias] = []
        for alias in decl.aliases:
            ref = Ref(decl.name, alias.name)
            type = resolver.alias(Symbol("alias", ref, alias))
            if type is not None:
                aliases.append(Alias(ref, type, alias.doc, alias.span))
        functions = [self.function(f, resolver) for f in decl.functions]
        return Module(
            name=decl.name,
            source=decl.source,
            doc=decl.doc,
            imports=tuple(
                Import(i.name, i.module, i.attribute, i.span) for i in decl.imports if i.level == 0
            ),
            dims=tuple(Dimension(d.name, d.mesh, d.doc, d.span) for d in decl.dims),
            typevars=tuple(_typevars(decl, resolver)),
            aliases=tuple(aliases),
            enums=tuple(_enum(e, names) for e in decl.enums),
            classes=order_classes([c for c in classes if c is not None]),
            functions=tuple(f for f in functions if f is not None),
            refs=tuple(_refs(decl, names)),
        )

    def class_of(self, ref: Ref) -> Class | None:
        """Lower a class once; None for one that derives from itself."""
        if ref not in self.done:
            names = self.all_names[ref.module]
            symbol = names.find(ref.name)
            assert isinstance(symbol, Symbol) and isinstance(symbol.decl, ClassDecl)
            self.done[ref] = None
            cyclic = self._cycle(ref, symbol.decl)
            self.done[ref] = self._class(ref, symbol.decl, names, cyclic=cyclic)
        return self.done[ref]

    def _cycle(self, ref: Ref, decl: ClassDecl) -> bool:
        """Report a class that is its own ancestor."""
        seen: list[Ref] = []
        current: Ref | None = ref
        while current is not None and current not in seen:
            seen.append(current)
            current = self._base_ref(current)
        if current != ref:
            return current is not None
        names = self.all_names[ref.module]
        names.scope.add(
            Code.BASE_CYCLE,
            decl.span,
            f"the class `{ref.name}` is a base of itself",
            " -> ".join(r.name for r in [*seen, ref]),
            "remove one of these bases",
        )
        return True

    def _base_ref(self, ref: Ref) -> Ref | None:
        names = self.all_names[ref.module]
        symbol = names.find(ref.name)
        decl = symbol.decl if isinstance(symbol, Symbol) else None
        for base in decl.bases if isinstance(decl, ClassDecl) else ():
            head = base.value if isinstance(base, syntax.Subscript) else base
            meaning = names.find(head.id) if isinstance(head, syntax.Name) else None
            if isinstance(meaning, Symbol) and meaning.kind == "class":
                return meaning.ref
        return None

    def _class(self, ref: Ref, decl: ClassDecl, names: Names, *, cyclic: bool) -> Class:
        dims = tuple(d.name for d in decl.dims)
        resolver = TypeResolver(names, self.all_names, frozenset(dims))
        base, mixins = self._bases(decl, names, resolver, cyclic=cyclic)
        parent = self.class_of(base.ref) if base is not None else None
        own = tuple(f for f in (self.field(f, ref, resolver) for f in decl.fields) if f)
        methods = [self.function(m, resolver) for m in decl.methods]
        return Class(
            ref=ref,
            base=base,
            mixins=mixins,
            type_parameters=tuple(resolver.generic_parameters(decl, ref.module)),
            dims=dims,
            abstract=decl.abstract,
            use=decl.use,
            kw_only=decl.kw_only,
            registration=decl.registration,
            own_fields=own,
            fields=_with_inherited(parent, own),
            constants=tuple(_constants(decl, names, resolver)),
            methods=tuple(m for m in methods if m is not None),
            shares=decl.shares,
            doc=decl.doc,
            source=names.module.source,
            span=decl.span,
            use_span=decl.use_span,
        )

    def _bases(
        self, decl: ClassDecl, names: Names, resolver: TypeResolver, *, cyclic: bool
    ) -> tuple[ClassType | None, tuple[External, ...]]:
        base: ClassType | None = None
        mixins: list[External] = []
        for expr in decl.bases:
            head = expr.value if isinstance(expr, syntax.Subscript) else expr
            meaning = names.find(head.id) if isinstance(head, syntax.Name) else None
            if isinstance(meaning, Word) and meaning.kind == "generic":
                continue
            type = resolver.resolve(expr)
            if isinstance(type, External):
                mixins.append(type)
            elif isinstance(type, ClassType) and base is None:
                base = type if not cyclic else None
            elif type is not None:
                two = isinstance(type, ClassType)
                names.scope.add(
                    Code.WRONG_BASE,
                    expr.span,
                    f"the class `{decl.name}` has two schema classes as bases"
                    if two
                    else f"the class `{decl.name}` derives from something that is no class",
                    "",
                    "keep one; make the other a field, or a Python mixin without fields"
                    if two
                    else "a base is a schema class, `Generic[T]`, or a Python class as a mixin",
                )
        return base, tuple(mixins)

    def field(self, decl: FieldDecl, owner: Ref, resolver: TypeResolver) -> Field | None:
        """Lower one field with its default and options."""
        names = resolver.names
        type = resolver.resolve(decl.type)
        default = None if decl.default is None else resolve_value(names, decl.default)
        options = {o.name: o for o in decl.options}
        convert = options.get("convert")
        init = options.get("init")
        spec = options.get("spec")
        if type is None:
            return None
        return Field(
            name=decl.name,
            role=decl.role,
            type=type,
            default=default,
            convert=resolve_path(names, convert.value) if convert else None,
            init=resolve_initializer(names, init.value) if init else None,
            spec=resolve_spec(names, spec.value) if spec else None,
            doc=decl.doc,
            owner=owner,
            span=decl.span,
            role_span=decl.role_span,
        )

    def function(self, decl: FunctionDecl, resolver: TypeResolver) -> Function | None:
        """Lower a function or method."""
        parameters = [_parameter(p, resolver) for p in decl.parameters]
        returns = resolver.resolve(decl.returns)
        found = tuple(p for p in parameters if p is not None)
        if returns is None or len(found) != len(parameters):
            return None
        return Function(
            decl.name, decl.impl, found, returns, decl.is_property, decl.doc, decl.span
        )


def _with_inherited(parent: Class | None, own: tuple[Field, ...]) -> tuple[Field, ...]:
    """Put the base's fields first; one that is declared anew keeps the base's place."""
    by_name = {f.name: f for f in own}
    inherited = tuple(by_name.pop(f.name, f) for f in (parent.fields if parent else ()))
    return (*inherited, *by_name.values())


def _refs(decl: ModuleDecl, names: Names) -> list[tuple[Ref, str]]:
    """Return what a module imports from other schemas, and what it calls it."""
    found: list[tuple[Ref, str]] = []
    for imported in decl.imports:
        meaning = names.find(imported.name)
        if imported.level and isinstance(meaning, Symbol):
            found.append((meaning.ref, imported.name))
    return found


def _parameter(decl: ParameterDecl, resolver: TypeResolver) -> Parameter | None:
    type = resolver.resolve(decl.type)
    default = None if decl.default is None else resolve_value(resolver.names, decl.default)
    if type is None or (decl.default is not None and default is None):
        return None
    return Parameter(
        decl.name, decl.role, type, default, decl.keyword_only, decl.span, decl.role_span
    )


def _constants(decl: ClassDecl, names: Names, resolver: TypeResolver) -> list[ClassConstant]:
    found: list[ClassConstant] = []
    for constant in decl.constants:
        type, value = resolver.resolve(constant.type), resolve_value(names, constant.value)
        if type is not None and value is not None:
            found.append(ClassConstant(constant.name, type, value, constant.doc, constant.span))
    return found


def _typevars(decl: ModuleDecl, resolver: TypeResolver) -> list[TypeVariable]:
    found: list[TypeVariable] = []
    for typevar in decl.typevars:
        bound = resolver.resolve(typevar.bound) if typevar.bound else None
        constraints = [resolver.resolve(c) for c in typevar.constraints]
        kept = tuple(c for c in constraints if c is not None)
        found.append(TypeVariable(typevar.name, bound, kept, typevar.span))
    return found


def _enum(decl: EnumDecl, names: Names) -> Enum:
    members: list[Member] = []
    for member in decl.members:
        call = member.value if isinstance(member.value, syntax.Call) else None
        head = call.function if call else None
        meaning = names.find(head.id) if isinstance(head, syntax.Name) else None
        automatic = isinstance(meaning, Word) and meaning.kind == "auto"
        value = None if automatic else resolve_value(names, member.value)
        if automatic or value is not None:
            members.append(Member(member.name, value, member.doc, member.span))
    return Enum(Ref(names.module.name, decl.name), decl.kind, tuple(members), decl.doc, decl.span)


