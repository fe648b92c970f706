"""Read a stub's tree as a module of the schema language.

decode(<class Grid: nx: static[int]>)    ->    ModuleDecl(classes=(ClassDecl("Grid", ...),))

Whatever stands where the language has nothing to say is reported here; what names mean is judged
later.
"""

from __future__ import annotations

from codegen.diagnostics import Code, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.classes import decode_class
from codegen.schema.enums import decode_enum, enum_kind
from codegen.schema.functions import decode_function
from codegen.schema.imports import decode_imports
from codegen.schema.names import check_mesh_axes, check_name, check_twice
from codegen.schema.nodes import (
    KINDS,
    AliasDecl,
    ClassDecl,
    Decl,
    DimDecl,
    EnumDecl,
    FunctionDecl,
    ImportDecl,
    ModuleDecl,
    TypeVarDecl,
)
from codegen.schema.renames import check_renames, former_names
from codegen.schema.roles import written
from codegen.schema.scope import Scope, builtin_words, shortened
from codegen.syntax import nodes as syntax


def decode(module: syntax.Module) -> tuple[ModuleDecl, Report]:
    """What the author wrote, and every mistake of this stage."""
    scope = Scope(module.source, builtin_words(), _declared(module), module.renames)
    imports = tuple(decode_imports(scope, module.body))
    found = [_declaration(scope, statement) for statement in module.body]
    decls = [decl for decl in found if decl is not None]
    _check_names(scope, imports, decls)
    check_renames(scope, module.body)
    decoded = ModuleDecl(
        source=module.source,
        doc=module.doc,
        imports=imports,
        dims=tuple(d for d in decls if isinstance(d, DimDecl)),
        aliases=tuple(d for d in decls if isinstance(d, AliasDecl)),
        typevars=tuple(d for d in decls if isinstance(d, TypeVarDecl)),
        enums=tuple(d for d in decls if isinstance(d, EnumDecl)),
        classes=tuple(d for d in decls if isinstance(d, ClassDecl)),
        functions=tuple(d for d in decls if isinstance(d, FunctionDecl)),
        words=tuple(scope.words.items()),
    )
    return decoded, scope.report


def _declared(module: syntax.Module) -> frozenset[str]:
    """The names that a module binds."""
    found: set[str] = set()
    for statement in module.body:
        if isinstance(statement, syntax.Import | syntax.ImportFrom):
            found.update(item.bound for item in statement.names)
        elif not isinstance(statement, syntax.Expression):
            found.add(statement.name)
    return frozenset(found)


def _declaration(scope: Scope, statement: syntax.Stmt) -> Decl | None:
    if isinstance(statement, syntax.Class):
        kind = enum_kind(scope, statement)
        return decode_enum(scope, statement, kind) if kind else decode_class(scope, statement)
    if isinstance(statement, syntax.Function):
        return decode_function(scope, statement)
    if isinstance(statement, syntax.Assign):
        return _assignment(scope, statement)
    if (
        isinstance(statement, syntax.Expression)
        and scope.kind(statement.value.function) != "unknown"
    ):
        word = scope.word(statement.value.function)
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement.span,
            "a call stands alone in a module",
            label="it declares nothing",
            advice=f"`{word.name}(...)` belongs into the body of a class"
            if word and word.kind in ("share", "reserved")
            else "what has to be done belongs into a module of your own",
        )
    return None


def _assignment(scope: Scope, statement: syntax.Assign) -> Decl | None:
    value = statement.value
    if statement.annotation is not None and scope.kind(statement.annotation) == "unknown":
        return None
    if statement.annotation is not None and scope.kind(statement.annotation) != "typealias":
        _annotated(scope, statement, statement.annotation)
        return None
    if value is None:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement.span,
            f"the alias `{statement.name}` has no type",
            label="nothing behind the `=`",
            advice=f"write `{statement.name} = f32[n]`",
        )
        return None
    if isinstance(value, syntax.Call):
        return _call_assignment(scope, statement, value)
    if isinstance(value, syntax.Constant) and value.value is not None:
        _constant(scope, statement, value)
        return None
    if (kind := _number(value)) is not None:
        _value(scope, statement, value, kind)
        return None
    was = former_names(scope, statement, may_move=True)
    return AliasDecl(statement.name, value, statement.doc, was, statement.name_span)


def _annotated(scope: Scope, statement: syntax.Assign, annotation: syntax.Expr) -> None:
    if isinstance(annotation, syntax.Name) and annotation.id == "TypeAlias":
        scope.missing_import("TypeAlias", annotation.span)
        return
    scope.add(
        Code.MISPLACED_FIELD,
        statement.name_span,
        f"`{statement.name}` is annotated outside a class",
        label="fields belong to classes",
        advice="move it into a class; an alias of a type is `name = type`",
    )


def _constant(scope: Scope, statement: syntax.Assign, value: syntax.Constant) -> None:
    if isinstance(value.value, str) and statement.annotation is not None:
        scope.add(
            Code.QUOTED_ANNOTATION,
            value.span,
            f"the type of the alias `{statement.name}` is quoted",
            label="a schema may use a name above its declaration",
            advice="leave the quotes out",
        )
        return
    _value(scope, statement, value, type(value.value))


def _value(scope: Scope, statement: syntax.Assign, value: syntax.Expr, kind: type[object]) -> None:
    """Report a value where only types and dimensions are named."""
    size = f"; a size of axes is `{statement.name} = Dim()`" if issubclass(kind, int) else ""
    written_out = f"`{statement.name}: ClassVar[{kind.__name__}] = {shortened(scope, value)}`"
    if isinstance(value, syntax.Binary) and kind is not complex:
        # A sum is no value of the language.
        written_out = f"`{statement.name}: ClassVar[{kind.__name__}]`, with the result written out"
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        value.span,
        f"the module declares the value `{statement.name}`",
        label="a module has no values",
        advice=f"a class has: {written_out}{size}",
    )


_NUMBERS = (int, float, complex)


def _number(value: syntax.Expr) -> type[int | float | complex] | None:
    """The type of a number that is signed or computed; None for anything else."""
    match value:
        case syntax.Constant(value=int() | float() | complex() as number):
            return type(number) if type(number) in _NUMBERS else None
        case syntax.Unary(operand=operand):
            return _number(operand)
        case syntax.Binary(operator=operator, left=left, right=right) if operator != "|":
            found = [_number(left), _number(right), float if operator == "/" else int]
            numbers = [kind for kind in found if kind is not None]
            return max(numbers, key=_NUMBERS.index) if len(numbers) == len(found) else None
        case _:
            return None


def _call_assignment(
    scope: Scope, statement: syntax.Assign, call: syntax.Call
) -> DimDecl | TypeVarDecl | None:
    kind = scope.kind(call.function)
    name = call.function.id if isinstance(call.function, syntax.Name) else ""
    if kind == "Dim":
        return _dim(scope, statement, call)
    if kind == "typevar":
        return _typevar(scope, statement, call)
    if name in ("Dim", "TypeVar") and not kind:
        scope.missing_import(name, call.function.span)
    elif kind != "unknown":
        otherwise = "a dimension is `nx = Dim()`"
        if kind in ("dtype", "kind") and call.arguments:
            otherwise = f"an alias is `{statement.name} = {written(scope, call) or 'T'}`"
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            call.function.span,
            f"`{statement.name}` is made by a call that the language does not have",
            label="a module calls `Dim` and `TypeVar` alone",
            advice=did_you_mean(name, ["Dim", "TypeVar"], otherwise),
        )
    return None


def _dim(scope: Scope, statement: syntax.Assign, call: syntax.Call) -> DimDecl:
    mesh: tuple[str, ...] = ()
    for extra in call.arguments:
        scope.add(
            Code.UNKNOWN_OPTION,
            extra.span,
            "`Dim` takes keyword arguments only",
            label="an argument without a name",
            advice='write `Dim()` or `Dim(mesh="rows")`; a fixed size stands in the type: `f32[3]`',
        )
    for keyword in call.keywords:
        if keyword.name == "mesh":
            mesh = _mesh(scope, keyword.value)
        else:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`Dim` has no option `{keyword.name}`",
                label="unknown option",
                advice=did_you_mean(keyword.name, ["mesh"], 'its only option is `mesh="axis"`'),
            )
    was = former_names(scope, statement)
    return DimDecl(statement.name, mesh, statement.doc, was, statement.name_span)


def _mesh(scope: Scope, value: syntax.Expr) -> tuple[str, ...]:
    axes = value.items if isinstance(value, syntax.Tuple) else (value,)
    names = [axis.value for axis in axes if isinstance(axis, syntax.Constant)]
    mesh = tuple(name for name in names if isinstance(name, str) and name)
    if len(mesh) != len(axes) or not mesh:
        scope.add(
            Code.WRONG_OPTION,
            value.span,
            "a mesh axis is named by a string",
            label="expected a string, or a tuple of strings",
            advice='write `Dim(mesh="rows")`',
        )
    check_mesh_axes(scope, "mesh", axes)
    return mesh


def _typevar(scope: Scope, statement: syntax.Assign, call: syntax.Call) -> TypeVarDecl | None:
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, syntax.Constant) or first.value != statement.name:
        scope.add(
            Code.WRONG_OPTION,
            first.span if first else call.span,
            f"the type parameter `{statement.name}` is not called by its own name",
            label=f'expected `"{statement.name}"`',
            advice=f'write `{statement.name} = TypeVar("{statement.name}")`',
        )
        return None
    bound = None
    for keyword in call.keywords:
        if keyword.name == "bound":
            bound = keyword.value
        else:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"a type parameter of a schema has no option `{keyword.name}`",
                label="unknown option",
                advice=did_you_mean(keyword.name, ["bound"], "its only option is `bound`"),
            )
    constraints = call.arguments[1:]
    if len(constraints) == 1 or (constraints and bound is not None):
        scope.add(
            Code.WRONG_OPTION,
            constraints[0].span,
            f"the type parameter `{statement.name}` has "
            + ("both a bound and constraints" if bound is not None else "a single constraint"),
            label="Python refuses this",
            advice="write `bound=...` for one type, or two constraints or more",
        )
    return TypeVarDecl(statement.name, bound, constraints, statement.name_span)


def _check_names(scope: Scope, imports: tuple[ImportDecl, ...], decls: list[Decl]) -> None:
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
