"""Read a stub's tree as a module of the schema language.

    decode(<class Grid: nx: static[int]>)    ->    ModuleDecl(classes=(ClassDecl("Grid", ...),))

Whatever stands in a place where the language has nothing to say is reported here; what names mean is judged later.
"""

from collections.abc import Iterable

from codegen.diagnostics.codes import Code
from codegen.diagnostics.model import Report
from codegen.schema.classes import decode_class, decode_enum, enum_kind
from codegen.schema.functions import decode_function
from codegen.schema.nodes import (
    AliasDecl,
    ClassDecl,
    DimDecl,
    EnumDecl,
    FunctionDecl,
    ImportDecl,
    ModuleDecl,
    TypeVarDecl,
)
from codegen.schema.names import check_name
from codegen.schema.scope import (
    HOME_OF_WORD,
    WORDS_OF_MODULE,
    Scope,
    builtin_words,
    did_you_mean,
    import_help,
)
from codegen.schema.vocabulary import Word
from codegen.source import Span
from codegen.syntax import nodes as syntax

Decl = DimDecl | AliasDecl | TypeVarDecl | EnumDecl | ClassDecl | FunctionDecl


def decode(module: syntax.Module) -> tuple[ModuleDecl, Report]:
    """Return what the author wrote, and every mistake of this stage."""
    scope = Scope(module.source, builtin_words())
    imports = tuple(_imports(scope, module.body))
    decls: list[Decl] = []
    for statement in module.body:
        decl = _declaration(scope, statement)
        if decl is not None:
            decls.append(decl)
    _check_names(scope, imports, decls)
    return (
        ModuleDecl(
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
        ),
        Report(scope.problems),
    )


def _imports(scope: Scope, body: Iterable[syntax.Stmt]) -> Iterable[ImportDecl]:
    """Learn which words of the language were imported; yield the imports of everything else."""
    for statement in body:
        if isinstance(statement, syntax.Import):
            for item in statement.names:
                yield ImportDecl(item.bound, item.name, 0, "", item.span)
        elif isinstance(statement, syntax.ImportFrom):
            for item in statement.names:
                decl = _imported_name(scope, statement, item)
                if decl is not None:
                    yield decl


def _imported_name(
    scope: Scope, statement: syntax.ImportFrom, item: syntax.ImportedName
) -> ImportDecl | None:
    words = WORDS_OF_MODULE.get(statement.module) if statement.level == 0 else None
    local = item.alias or item.name
    if words is not None and item.name in words:
        scope.words[local] = Word(words[item.name], item.name)
        return None
    if statement.level == 0 and statement.module == "codegen.schema":
        scope.add(
            Code.UNKNOWN_NAME,
            item.span,
            f"`codegen.schema` has no `{item.name}`",
            "not a word of the language",
            import_help(item.name) or did_you_mean(item.name, sorted(words or ())),
        )
        # Known as a word without meaning, so that each use of it is not reported again.
        scope.words[local] = Word("unknown", item.name)
        return None
    if statement.level == 0 and words is not None and statement.module != "enum":
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            item.span,
            f"`{statement.module}.{item.name}` is not part of the schema language",
            "not a word of the language",
            import_help(item.name),
        )
        scope.words[local] = Word("unknown", item.name)
        return None
    return ImportDecl(local, statement.module, statement.level, item.name, item.span)


def _declaration(scope: Scope, statement: syntax.Stmt) -> Decl | None:
    if isinstance(statement, syntax.Class):
        kind = enum_kind(scope, statement)
        return decode_enum(scope, statement, kind) if kind else decode_class(scope, statement)
    if isinstance(statement, syntax.Function):
        return decode_function(scope, statement)
    if isinstance(statement, syntax.Assign):
        return _assignment(scope, statement)
    if isinstance(statement, syntax.Expression):
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement.span,
            "a call stands alone in a module",
            "nothing of the language",
            "`share(...)` belongs into the body of a class",
        )
    return None


def _assignment(scope: Scope, statement: syntax.Assign) -> Decl | None:
    value = statement.value
    annotated = scope.word(statement.annotation)
    if statement.annotation is not None and (annotated is None or annotated.kind != "typealias"):
        scope.add(
            Code.MISPLACED_FIELD,
            statement.name_span,
            f"`{statement.name}` is annotated outside a class",
            "fields belong to classes",
            "move it into a class, or write `name = type` for an alias",
        )
        return None
    if value is None:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement.span,
            f"the alias `{statement.name}` has no type",
            "",
            f"write `{statement.name} = f32[n]`",
        )
        return None
    if isinstance(value, syntax.Call):
        return _call_assignment(scope, statement, value)
    return AliasDecl(statement.name, value, statement.doc, statement.name_span)


def _call_assignment(
    scope: Scope, statement: syntax.Assign, call: syntax.Call
) -> DimDecl | TypeVarDecl | None:
    word = scope.word(call.function)
    if word is not None and word.kind == "Dim":
        return _dim(scope, statement, call)
    if word is not None and word.kind == "typevar":
        return _typevar(scope, statement, call)
    name = call.function.id if isinstance(call.function, syntax.Name) else ""
    if name in ("Dim", "TypeVar"):
        scope.add(
            Code.MISSING_IMPORT,
            call.function.span,
            f"`{name}` is not imported",
            "",
            f"add `from {HOME_OF_WORD[name]} import {name}`",
        )
        return DimDecl(statement.name, (), "", statement.name_span) if name == "Dim" else None
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        call.span,
        f"`{statement.name}` is made by a call that the language does not have",
        "a module declares dimensions by `Dim(...)` and type parameters by `TypeVar(...)`",
        did_you_mean(name, ["Dim", "TypeVar"]),
    )
    return None


def _dim(scope: Scope, statement: syntax.Assign, call: syntax.Call) -> DimDecl:
    mesh: tuple[str, ...] = ()
    for extra in call.arguments:
        scope.add(
            Code.UNKNOWN_OPTION,
            extra.span,
            "`Dim` takes keyword arguments only",
            "",
            'write `Dim()` or `Dim(mesh="rows")`',
        )
    for keyword in call.keywords:
        if keyword.name != "mesh":
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`Dim` has no option `{keyword.name}`",
                "",
                did_you_mean(keyword.name, ["mesh"], 'its only option is `mesh="axis"`'),
            )
            continue
        axes = keyword.value.items if isinstance(keyword.value, syntax.Tuple) else (keyword.value,)
        names = [a.value for a in axes if isinstance(a, syntax.Constant)]
        mesh = tuple(name for name in names if isinstance(name, str))
        if len(mesh) != len(axes) or not mesh:
            scope.add(
                Code.WRONG_OPTION,
                keyword.value.span,
                "a mesh axis is named by a string",
                "expected a string or a tuple of strings",
                'write `Dim(mesh="rows")`',
            )
    return DimDecl(statement.name, mesh, statement.doc, statement.name_span)


def _typevar(scope: Scope, statement: syntax.Assign, call: syntax.Call) -> TypeVarDecl | None:
    arguments = call.arguments
    first = arguments[0] if arguments else None
    if not isinstance(first, syntax.Constant) or first.value != statement.name:
        scope.add(
            Code.WRONG_OPTION,
            first.span if first else call.span,
            f"the type parameter `{statement.name}` must be named by its own string",
            f'expected `"{statement.name}"`',
            f'write `{statement.name} = TypeVar("{statement.name}")`',
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
                f"`TypeVar` has no option `{keyword.name}` here",
                "",
                did_you_mean(keyword.name, ["bound"], "its only option is `bound`"),
            )
    return TypeVarDecl(statement.name, bound, arguments[1:], statement.name_span)


def _check_names(scope: Scope, imports: tuple[ImportDecl, ...], decls: list[Decl]) -> None:
    """Report names that cannot be used, and those that are declared twice."""
    first: dict[str, Span] = {}
    for decl in sorted((*imports, *decls), key=lambda d: d.span.start):
        what = "import" if isinstance(decl, ImportDecl) else "name"
        if not isinstance(decl, ImportDecl):
            check_name(scope, decl.name, decl.span, what)
        if decl.name in first:
            scope.add(
                Code.DUPLICATE_NAME,
                decl.span,
                f"`{decl.name}` is declared twice in this module",
                "declared again here",
                "rename one of them",
                (scope.related(first[decl.name], "first declared here"),),
            )
        elif decl.name in scope.words and scope.words[decl.name].kind != "builtin":
            scope.add(
                Code.DUPLICATE_NAME,
                decl.span,
                f"`{decl.name}` is a word of the schema language that this module imports",
                "declared again here",
                "rename it, or import the word under another name",
            )
        first.setdefault(decl.name, decl.span)
