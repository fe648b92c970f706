"""Read a stub's tree as a module of the schema language.

decode(<class Grid: nx: static[int]>)    ->    ModuleDecl(classes=(ClassDecl("Grid", ...),))

Whatever stands where the language has nothing to say is reported here; what names mean is judged
later.
"""

from __future__ import annotations

import ast

from codegen.diagnostics import Code, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.classes import decode_class
from codegen.schema.enums import decode_enum, enum_kind
from codegen.schema.functions import decode_function
from codegen.schema.imports import decode_imports
from codegen.schema.names import (
    check_mesh_axes,
    check_name,
    check_renames,
    check_twice,
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
from codegen.schema.roles import written
from codegen.schema.scope import Scope, builtin_words, shortened
from codegen.schema.stub import (
    Assignment,
    ImportStatement,
    Stub,
    annotation,
    bound,
    elements,
    name_of,
    statements,
    target,
    texts,
)


def decode(stub: Stub) -> tuple[ModuleDecl, Report]:
    """What the author wrote, and every mistake of this stage."""
    body = [*statements(stub.tree.body)]
    scope = Scope(stub.source, builtin_words(), _declared(body), stub)
    imports = tuple(decode_imports(scope, body))
    found = [_declaration(scope, statement) for statement in body]
    decls = [decl for decl in found if decl is not None]
    _check_names(scope, imports, decls)
    check_renames(scope, body)
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


def _declared(body: list[ast.stmt]) -> frozenset[str]:
    """The names that a module binds."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, ImportStatement):
            found.update(bound(item) for item in statement.names)
        elif isinstance(statement, Assignment):
            found.add(target(statement).id)
        elif isinstance(statement, ast.ClassDef | ast.FunctionDef):
            found.add(statement.name)
    return frozenset(found)


def _declaration(scope: Scope, statement: ast.stmt) -> Decl | None:
    if isinstance(statement, ast.ClassDef):
        kind = enum_kind(scope, statement)
        return decode_enum(scope, statement, kind) if kind else decode_class(scope, statement)
    if isinstance(statement, ast.FunctionDef):
        return decode_function(scope, statement)
    if isinstance(statement, Assignment):
        return _assignment(scope, statement)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and scope.kind(call.func) != "unknown":
        word = scope.word(call.func)
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement,
            "a call stands alone in a module",
            label="it declares nothing",
            advice=f"`{word.name}(...)` belongs into the body of a class"
            if word and word.kind in ("share", "reserved")
            else "what has to be done belongs into a module of your own",
        )
    return None


def _assignment(scope: Scope, statement: Assignment) -> Decl | None:
    name, type, value = target(statement), annotation(statement), statement.value
    if type is not None and scope.kind(type) != "typealias":
        if scope.kind(type) != "unknown":
            _annotated(scope, name, type)
        return None
    if value is None:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement,
            f"the alias `{name.id}` has no type",
            label="nothing behind the `=`",
            advice=f"write `{name.id} = f32[n]`",
        )
        return None
    if isinstance(value, ast.Call):
        return _call_assignment(scope, statement, value)
    if isinstance(value, ast.Constant) and value.value is not None:
        _constant(scope, name.id, value, is_alias=type is not None)
        return None
    if (kind := _number(value)) is not None:
        _value(scope, name.id, value, kind)
        return None
    was = former_names(scope, statement, may_move=True)
    ref = Ref(scope.source.module, name.id)
    return Alias(ref, value, scope.doc(statement), was, scope.source.span(name))


def _annotated(scope: Scope, name: ast.Name, type: ast.expr) -> None:
    if name_of(type) == "TypeAlias":
        scope.missing_import("TypeAlias", type)
        return
    scope.add(
        Code.MISPLACED_FIELD,
        name,
        f"`{name.id}` is annotated outside a class",
        label="fields belong to classes",
        advice="move it into a class; an alias of a type is `name = type`",
    )


def _constant(scope: Scope, name: str, value: ast.Constant, *, is_alias: bool) -> None:
    if isinstance(value.value, str) and is_alias:
        scope.add(
            Code.QUOTED_ANNOTATION,
            value,
            f"the type of the alias `{name}` is quoted",
            label="a schema may use a name above its declaration",
            advice="leave the quotes out",
        )
        return
    _value(scope, name, value, type(value.value))


def _value(scope: Scope, name: str, value: ast.expr, kind: type[object]) -> None:
    """Report a value where only types and dimensions are named."""
    size = f"; a size of axes is `{name} = Dim()`" if issubclass(kind, int) else ""
    written_out = f"`{name}: ClassVar[{kind.__name__}] = {shortened(scope, value)}`"
    if isinstance(value, ast.BinOp) and kind is not complex:
        # A sum is no value of the language.
        written_out = f"`{name}: ClassVar[{kind.__name__}]`, with the result written out"
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        value,
        f"the module declares the value `{name}`",
        label="a module has no values",
        advice=f"a class has: {written_out}{size}",
    )


_NUMBERS = (int, float, complex)


def _number(value: ast.expr) -> type[int | float | complex] | None:
    """The type of a number that is signed or computed; None for anything else."""
    match value:
        case ast.Constant(value=int() | float() | complex() as number):
            return type(number) if type(number) in _NUMBERS else None
        case ast.UnaryOp(operand=operand):
            return _number(operand)
        case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, ast.BitOr):
            found = [_number(left), _number(right), float if isinstance(op, ast.Div) else int]
            numbers = [kind for kind in found if kind is not None]
            return max(numbers, key=_NUMBERS.index) if len(numbers) == len(found) else None
        case _:
            return None


def _call_assignment(
    scope: Scope, statement: Assignment, call: ast.Call
) -> Dimension | TypeVariable[ast.expr] | None:
    kind = scope.kind(call.func)
    name = name_of(call.func)
    if kind == "Dim":
        return _dim(scope, statement, call)
    if kind == "typevar":
        return _typevar(scope, statement, call)
    if name in ("Dim", "TypeVar") and not kind:
        scope.missing_import(name, call.func)
    elif kind != "unknown":
        otherwise = "a dimension is `nx = Dim()`"
        if kind in ("dtype", "kind") and call.args:
            otherwise = f"an alias is `{target(statement).id} = {written(scope, call) or 'T'}`"
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            call.func,
            f"`{target(statement).id}` is made by a call that the language does not have",
            label="a module calls `Dim` and `TypeVar` alone",
            advice=did_you_mean(name, ["Dim", "TypeVar"], otherwise),
        )
    return None


def _dim(scope: Scope, statement: Assignment, call: ast.Call) -> Dimension:
    mesh: tuple[str, ...] = ()
    for extra in call.args:
        scope.add(
            Code.UNKNOWN_OPTION,
            extra,
            "`Dim` takes keyword arguments only",
            label="an argument without a name",
            advice='write `Dim()` or `Dim(mesh="rows")`; a fixed size stands in the type: `f32[3]`',
        )
    for keyword in call.keywords:
        if keyword.arg == "mesh":
            mesh = _mesh(scope, keyword.value)
        else:
            scope.add(
                Code.UNKNOWN_OPTION,
                scope.source.name_span(keyword),
                f"`Dim` has no option `{keyword.arg}`",
                label="unknown option",
                advice=did_you_mean(
                    keyword.arg or "", ["mesh"], 'its only option is `mesh="axis"`'
                ),
            )
    was = former_names(scope, statement)
    name = target(statement)
    return Dimension(name.id, mesh, scope.doc(statement), was, scope.source.span(name))


def _mesh(scope: Scope, value: ast.expr) -> tuple[str, ...]:
    axes = elements(value)
    mesh = tuple(name for name in texts(axes) if name)
    if len(mesh) != len(axes) or not mesh:
        scope.add(
            Code.WRONG_OPTION,
            value,
            "a mesh axis is named by a string",
            label="expected a string, or a tuple of strings",
            advice='write `Dim(mesh="rows")`',
        )
    check_mesh_axes(scope, "mesh", axes)
    return mesh


def _typevar(scope: Scope, statement: Assignment, call: ast.Call) -> TypeVariable[ast.expr] | None:
    name = target(statement)
    first = call.args[0] if call.args else None
    if not isinstance(first, ast.Constant) or first.value != name.id:
        scope.add(
            Code.WRONG_OPTION,
            first or call,
            f"the type parameter `{name.id}` is not called by its own name",
            label=f'expected `"{name.id}"`',
            advice=f'write `{name.id} = TypeVar("{name.id}")`',
        )
        return None
    limit = None
    for keyword in call.keywords:
        if keyword.arg == "bound":
            limit = keyword.value
        else:
            scope.add(
                Code.UNKNOWN_OPTION,
                scope.source.name_span(keyword),
                f"a type parameter of a schema has no option `{keyword.arg}`",
                label="unknown option",
                advice=did_you_mean(keyword.arg or "", ["bound"], "its only option is `bound`"),
            )
    constraints = call.args[1:]
    if len(constraints) == 1 or (constraints and limit is not None):
        scope.add(
            Code.WRONG_OPTION,
            constraints[0],
            f"the type parameter `{name.id}` has "
            + ("both a bound and constraints" if limit is not None else "a single constraint"),
            label="Python refuses this",
            advice="write `bound=...` for one type, or two constraints or more",
        )
    return TypeVariable(name.id, limit, tuple(constraints), scope.source.span(name))


def _check_names(scope: Scope, imports: tuple[Import, ...], decls: list[Decl]) -> None:
    """Report names that cannot be used, and those that are declared twice."""
    for decl in decls:
        check_name(scope, decl.name, decl.span, KINDS[type(decl)])
        word = scope.words.get(decl.name)
        if word is not None and word.kind not in ("builtin", "decorator", "unknown"):
            scope.add(
                Code.DUPLICATE_NAME,
                decl.span,
                f"`{decl.name}` is a word of the schema language that this module imports",
                label="declared again here",
                advice="rename it, or import the word under another name",
            )
    # `import a.b` and `import a.c` bind one name, and the same thing.
    packages = {i.name for i in imports if "." in i.module and not i.attribute and not i.level}
    names = [(i.name, i.span) for i in imports if i.attribute or i.name not in packages]
    check_twice(scope, [*names, *((d.name, d.span) for d in decls)], "this module")
