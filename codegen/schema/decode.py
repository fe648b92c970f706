"""Read a stub's tree into a module of the schema language.

decode(<class Grid: nx: static[int]>)    ->    ModuleDecl(classes=(ClassDecl("Grid", ...),))

A statement that is not part of the language is reported here. The next stage resolves names.
"""

from __future__ import annotations

import ast
from functools import partial

from codegen.diagnostics import Code, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.classes import decode_class, decode_enum, enum_kind
from codegen.schema.functions import decode_function
from codegen.schema.imports import decode_imports
from codegen.schema.names import (
    check_duplicates,
    check_mesh_axes,
    check_name,
    check_renames,
    former_names,
)
from codegen.schema.nodes import (
    KINDS,
    Alias,
    ClassDecl,
    Decl,
    Dimension,
    Enum,
    Function,
    Import,
    ModuleDecl,
    Ref,
    TypeVariable,
)
from codegen.schema.scope import Refused, Scope, accepted, builtin_words, short_text
from codegen.schema.stub import (
    Assignment,
    ImportStatement,
    Stub,
    annotation,
    bound_name,
    elements,
    literal_value,
    name_of,
    statements,
    string_values,
    target,
)
from codegen.schema.vocabulary import HOME_OF_WORD, WORDS_OF_MODULE, LanguageWord


def decode(stub: Stub) -> tuple[ModuleDecl, Report]:
    """Return the declarations of the stub, and every mistake of this stage."""
    body = [*statements(stub.tree.body)]
    scope = Scope(stub.source, builtin_words(), _bound_names(body), stub)
    imports = tuple(decode_imports(scope, body))
    _import_missing_words(scope, stub)
    declarations = (one for one in body if not isinstance(one, ImportStatement))
    decls = accepted(partial(_declaration, scope), declarations)
    _check_names(scope, imports, decls)
    check_renames(scope)
    decoded = ModuleDecl(
        source=stub.source,
        doc=stub.doc(stub.tree),
        imports=imports,
        dims=tuple(d for d in decls if isinstance(d, Dimension)),
        aliases=tuple(d for d in decls if isinstance(d, Alias)),
        typevars=tuple(d for d in decls if isinstance(d, TypeVariable)),
        enums=tuple(d for d in decls if isinstance(d, Enum)),
        classes=tuple(d for d in decls if isinstance(d, ClassDecl)),
        functions=tuple(d for d in decls if isinstance(d, Function)),
        words=tuple(scope.words.items()),
    )
    return decoded, scope.report


def _import_missing_words(scope: Scope, stub: Stub) -> None:
    """Report each word of the language that is used without its import. It keeps its meaning."""
    for use in stub.words:
        name = use.id
        if name in scope.declared:
            continue
        module = HOME_OF_WORD[name]
        scope.words[name] = LanguageWord(WORDS_OF_MODULE[module][name], name)
        scope.add_once(
            Code.MISSING_IMPORT,
            name,
            use,
            f"`{name}` is not imported",
            label="part of the schema language",
            advice=f"add `from {module} import {name}`",
        )


def _bound_names(body: list[ast.stmt]) -> frozenset[str]:
    """Return the names that a module binds."""
    names: set[str] = set()
    for statement in body:
        if isinstance(statement, ImportStatement):
            names.update(bound_name(item) for item in statement.names)
        elif isinstance(statement, Assignment):
            names.add(target(statement).id)
        elif isinstance(statement, ast.ClassDef | ast.FunctionDef):
            names.add(statement.name)
    return frozenset(names)


def _declaration(scope: Scope, statement: ast.stmt) -> Decl:
    match statement:
        case ast.ClassDef():
            kind = enum_kind(scope, statement)
            return decode_enum(scope, statement, kind) if kind else decode_class(scope, statement)
        case ast.FunctionDef():
            return decode_function(scope, statement)
        case ast.Assign() | ast.AnnAssign():
            return _assignment(scope, statement)
        case ast.Expr(value=ast.Call() as call) if scope.kind(call.func) != "unknown":
            word = scope.word(call.func)
            raise scope.outside_language(
                statement,
                "a module cannot contain this call",
                label="this declares nothing",
                advice=f"move `{word.name}(...)` into the body of a class"
                if word and word.kind in ("share", "reserved")
                else "move the call into your own Python module: a schema is never run",
            )
        case _:
            raise Refused


def _assignment(scope: Scope, statement: Assignment) -> Decl:
    name, type, value = target(statement), annotation(statement), statement.value
    if type is not None and scope.kind(type) != "typealias":
        raise _refuse_annotated(scope, name, type)
    if value is None:
        raise scope.outside_language(
            statement,
            f"the alias `{name.id}` has no type",
            label="expected `=` and a type",
            advice=f"write, for example, `{name.id} = f32[n]`",
        )
    if isinstance(value, ast.Call):
        return _call_assignment(scope, statement, value)
    if type is not None and isinstance(literal_value(value), str):
        raise scope.refused(
            Code.QUOTED_ANNOTATION,
            value,
            f"the type of the alias `{name.id}` is quoted",
            label="a type in quotes",
            advice="remove the quotes: a schema can use a name above its declaration",
        )
    if literal_value(value) is not None or _is_number(value):
        raise _refuse_value(scope, name.id, value)
    was = former_names(scope, statement, may_move=True)
    ref = Ref(scope.source.module, name.id)
    return Alias(ref, value, scope.doc(statement), was, span=scope.source.span(name))


def _refuse_annotated(scope: Scope, name: ast.Name, type: ast.expr) -> Refused:
    if scope.kind(type) == "unknown":
        return Refused()
    return scope.refused(
        Code.MISPLACED_FIELD,
        name,
        f"`{name.id}` is declared like a field, but outside a class",
        label="not in a class",
        advice=f"if `{name.id}` is a field, move it into a class. If `{name.id}` is an alias of "
        f"a type, write `{name.id} = ...`, with the type after `=`",
    )


def _refuse_value(scope: Scope, name: str, value: ast.expr) -> Refused:
    """Refuse a value where only types and dimensions can have a name."""
    literal = literal_value(value)
    type, text = literal.__class__.__name__, short_text(scope, value)
    constant = f"{name}: ClassVar[{'T' if literal is None else type}]"
    constant += " = ..." if literal is None else f" = {text}"
    size = f". If `{name}` is a dimension, write `{name} = Dim()`" if type == "int" else ""
    return scope.outside_language(
        value,
        f"the value `{name}` cannot be declared outside a class",
        label="not a type or a dimension",
        advice=f"if `{name}` is a constant, declare it in a class: `{constant}`{size}",
    )


def _is_number(value: ast.expr) -> bool:
    """Return whether an expression is a number, or arithmetic with numbers only."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float | complex) and not isinstance(number, bool)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return not isinstance(op, ast.BitOr) and _is_number(left) and _is_number(right)
        case _:
            return False


def _call_assignment(
    scope: Scope, statement: Assignment, call: ast.Call
) -> Dimension | TypeVariable[ast.expr]:
    kind, name, own = scope.kind(call.func), name_of(call.func), target(statement).id
    if kind == "Dim":
        return _dim(scope, statement, call)
    if kind == "typevar":
        return _typevar(scope, statement, call)
    if kind != "unknown":
        otherwise = f"if `{own}` is a dimension, write `{own} = Dim()`. If it is an alias of a "
        otherwise += f"type, write brackets, `{own} = f32[n]`"
        if name in HOME_OF_WORD and not kind:
            otherwise = f"import `{name}` from `{HOME_OF_WORD[name]}`"
        scope.outside_language(
            call.func,
            f"`{own}` is assigned a call that is not part of the schema language",
            label="only `Dim(...)` and `TypeVar(...)` are allowed",
            advice=did_you_mean(name, ["Dim", "TypeVar"], otherwise),
        )
    raise Refused


def _dim(scope: Scope, statement: Assignment, call: ast.Call) -> Dimension:
    mesh: tuple[str, ...] = ()
    advice = 'write `Dim()` or `Dim(mesh="rows")`. Write a fixed size in the type: `f32[3]`'
    scope.check_no_arguments(call, "Dim", advice)
    for keyword in call.keywords:
        if keyword.arg == "mesh":
            mesh = _mesh(scope, keyword.value)
        else:
            otherwise = 'the only option is `mesh="axis"`'
            scope.unknown_option(keyword, "`Dim` has", ("mesh",), otherwise)
    was = former_names(scope, statement)
    name = target(statement)
    return Dimension(name.id, mesh, scope.doc(statement), was, span=scope.source.span(name))


def _mesh(scope: Scope, value: ast.expr) -> tuple[str, ...]:
    axes = elements(value)
    mesh = tuple(name for name in string_values(axes) if name)
    if len(mesh) != len(axes) or not mesh:
        scope.add(
            Code.WRONG_OPTION,
            value,
            "a mesh axis must be a string",
            label="expected a string, or a tuple of strings",
            advice='write, for example, `Dim(mesh="rows")`',
        )
    check_mesh_axes(scope, "mesh", axes)
    return mesh


def _typevar(scope: Scope, statement: Assignment, call: ast.Call) -> TypeVariable[ast.expr]:
    name = target(statement)
    first = call.args[0] if call.args else None
    if not isinstance(first, ast.Constant) or first.value != name.id:
        raise scope.refused(
            Code.WRONG_OPTION,
            first or call,
            f"the type parameter `{name.id}` must have its own name as the first argument "
            "of `TypeVar`",
            label=f'expected `"{name.id}"`',
            advice=f'write `{name.id} = TypeVar("{name.id}")`',
        )
    limit = None
    for keyword in call.keywords:
        if keyword.arg == "bound":
            limit = keyword.value
        else:
            owner, otherwise = "`TypeVar` in a schema has", "the only option is `bound`"
            scope.unknown_option(keyword, owner, ("bound",), otherwise)
    constraints = call.args[1:]
    if len(constraints) == 1 or (constraints and limit is not None):
        scope.add(
            Code.WRONG_OPTION,
            constraints[0],
            f"the type parameter `{name.id}` has "
            + ("both a bound and constraints" if limit is not None else "a single constraint"),
            label="Python does not allow this",
            advice="write a `bound`, or two or more constraints",
        )
    return TypeVariable(name.id, limit, tuple(constraints), span=scope.source.span(name))


def _check_names(scope: Scope, imports: tuple[Import, ...], decls: list[Decl]) -> None:
    """Report names that cannot be used, and names that are declared twice."""
    for decl in decls:
        check_name(scope, decl.name, decl.span, KINDS[type(decl)])
        word = scope.words.get(decl.name)
        if word is not None and word.kind not in ("builtin", "decorator", "unknown"):
            scope.add(
                Code.DUPLICATE_NAME,
                decl.span,
                f"`{decl.name}` is declared here, but also imported from the schema language",
                label="declared again here",
                advice="rename this declaration, or write "
                f"`{word.name} as schema_{word.name}` in the import",
            )
    # `import a.b` and `import a.c` both bind `a`, to the same module.
    packages = {i.name for i in imports if "." in i.module and not i.attribute and not i.level}
    names = [(i.name, i.span) for i in imports if i.attribute or i.name not in packages]
    check_duplicates(scope, [*names, *((d.name, d.span) for d in decls)], "this module")
