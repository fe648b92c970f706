"""Read classes and enums.

    class Grid(use="static"):       ->    ClassDecl("Grid", use="static", fields=(FieldDecl("nx", ...),))
        nx: static[int]
"""

from dataclasses import dataclass, field

from codegen.diagnostics.codes import Code
from codegen.schema.functions import check_default, decode_function, decode_role
from codegen.schema.names import check_name
from codegen.schema.nodes import (
    ClassDecl,
    ConstantDecl,
    DimParameterDecl,
    EnumDecl,
    FieldDecl,
    FunctionDecl,
    MemberDecl,
    OptionDecl,
    PathDecl,
    Registration,
    ShareDecl,
    Use,
)
from codegen.schema.scope import Scope, did_you_mean, import_help
from codegen.source import Span
from codegen.syntax import nodes as syntax

CLASS_OPTIONS = ("abstract", "dims", "kw_only", "registration", "use")
FIELD_OPTIONS = ("convert", "default", "init", "spec")


@dataclass(slots=True)
class _Body:
    fields: list[FieldDecl] = field(default_factory=list[FieldDecl])
    constants: list[ConstantDecl] = field(default_factory=list[ConstantDecl])
    methods: list[FunctionDecl] = field(default_factory=list[FunctionDecl])
    shares: list[ShareDecl] = field(default_factory=list[ShareDecl])


@dataclass(slots=True)
class _Options:
    dims: tuple[DimParameterDecl, ...] = ()
    abstract: bool = False
    kw_only: bool = False
    use: Use | None = None
    use_span: Span = Span(0, 0)
    registration: Registration | None = None


def enum_kind(scope: Scope, node: syntax.Class) -> str:
    """Return which of enum's classes this one derives from, "" for none."""
    for base in node.bases:
        word = scope.word(base)
        if word is not None and word.kind == "enum":
            return word.name
    return ""


def decode_enum(scope: Scope, node: syntax.Class, kind: str) -> EnumDecl:
    """Read an enum: members with values, and nothing else."""
    for extra in (*node.bases[1:], *(k.value for k in node.keywords), *node.decorators):
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            extra.span,
            f"the enum `{node.name}` has more than its enum base",
            "not part of the language",
            f"write `class {node.name}({kind}):`",
        )
    members: list[MemberDecl] = []
    for statement in node.body:
        if (
            isinstance(statement, syntax.Assign)
            and statement.annotation is None
            and statement.value is not None
        ):
            check_name(scope, statement.name, statement.name_span, "member")
            members.append(
                MemberDecl(statement.name, statement.value, statement.doc, statement.name_span)
            )
        else:
            scope.add(
                Code.OUTSIDE_LANGUAGE,
                statement.span,
                f"the enum `{node.name}` holds something that is no member",
                "",
                'a member is written `NAME = "value"`',
            )
    _check_twice(scope, [(m.name, m.span) for m in members], f"the enum `{node.name}`")
    return EnumDecl(node.name, kind, tuple(members), node.doc, node.name_span)


def decode_class(scope: Scope, node: syntax.Class) -> ClassDecl:
    """Read a class with its options, fields, constants, methods and shares."""
    for decorator in node.decorators:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            decorator.span,
            f"the class `{node.name}` has a decorator",
            "not part of the language",
            "leave it out; options go into the parentheses: `class Grid(kw_only=True)`",
        )
    options = _Options()
    for keyword in node.keywords:
        _class_option(scope, keyword, options)
    body = _Body()
    for statement in node.body:
        _member(scope, statement, body)
    names = [(m.name, m.span) for m in (*body.fields, *body.constants, *body.methods)]
    for name, span in names:
        check_name(scope, name, span, "member", member=True)
    _check_twice(scope, names, f"the class `{node.name}`")
    return ClassDecl(
        name=node.name,
        bases=node.bases,
        dims=options.dims,
        abstract=options.abstract,
        use=options.use,
        kw_only=options.kw_only,
        registration=options.registration,
        fields=tuple(body.fields),
        constants=tuple(body.constants),
        methods=tuple(body.methods),
        shares=tuple(body.shares),
        doc=node.doc,
        span=node.name_span,
        use_span=options.use_span,
    )


def _check_twice(scope: Scope, names: list[tuple[str, Span]], where: str) -> None:
    first: dict[str, Span] = {}
    for name, span in sorted(names, key=lambda pair: pair[1].start):
        if name in first:
            scope.add(
                Code.DUPLICATE_NAME,
                span,
                f"{where} declares `{name}` twice",
                "declared again here",
                "rename one of them",
                (scope.related(first[name], "first declared here"),),
            )
        first.setdefault(name, span)


def _class_option(scope: Scope, keyword: syntax.Keyword, options: _Options) -> None:
    value = keyword.value
    constant = value.value if isinstance(value, syntax.Constant) else None
    if keyword.name == "dims":
        options.dims = _dim_parameters(scope, value)
    elif keyword.name == "abstract" and isinstance(constant, bool):
        options.abstract = constant
    elif keyword.name == "kw_only" and isinstance(constant, bool):
        options.kw_only = constant
    elif keyword.name == "use" and constant in ("static", "dynamic"):
        options.use = "static" if constant == "static" else "dynamic"
        options.use_span = value.span
    elif keyword.name == "registration" and constant in ("exact", "jax"):
        options.registration = "exact" if constant == "exact" else "jax"
    elif keyword.name in CLASS_OPTIONS:
        legal = {
            "use": '"static" or "dynamic"',
            "registration": '"exact" or "jax"',
        }.get(keyword.name, "True or False")
        scope.add(
            Code.WRONG_OPTION,
            value.span,
            f"the class option `{keyword.name}` has an unknown value",
            f"expected {legal}",
            "",
        )
    else:
        scope.add(
            Code.UNKNOWN_OPTION,
            keyword.name_span,
            f"classes have no option `{keyword.name}`",
            "",
            did_you_mean(
                keyword.name,
                list(CLASS_OPTIONS),
                "options are " + ", ".join(f"`{o}`" for o in CLASS_OPTIONS),
            ),
        )


def _dim_parameters(scope: Scope, value: syntax.Expr) -> tuple[DimParameterDecl, ...]:
    items = value.items if isinstance(value, syntax.Tuple) else (value,)
    names = [DimParameterDecl(i.id, i.span) for i in items if isinstance(i, syntax.Name)]
    if len(names) != len(items) or not names:
        scope.add(
            Code.WRONG_OPTION,
            value.span,
            "`dims` is a tuple of names",
            "expected names",
            "write `dims=(n_in, n_out)`, or `dims=(n,)` for a single one",
        )
    _check_twice(scope, [(n.name, n.span) for n in names], "`dims`")
    return tuple(names)


def _member(scope: Scope, statement: syntax.Stmt, body: _Body) -> None:
    if isinstance(statement, syntax.Assign):
        _field_or_constant(scope, statement, body)
    elif isinstance(statement, syntax.Function):
        method = decode_function(scope, statement, method=True)
        if method is not None:
            body.methods.append(method)
    elif isinstance(statement, syntax.Expression):
        share = _share(scope, statement.value)
        if share is not None:
            body.shares.append(share)
    else:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            statement.span,
            "this statement has no meaning in the body of a class",
            "",
            "move it to the module",
        )


def _field_or_constant(scope: Scope, statement: syntax.Assign, body: _Body) -> None:
    annotation = statement.annotation
    if annotation is None:
        scope.add(
            Code.MISSING_ROLE,
            statement.name_span,
            f"the field `{statement.name}` has neither role nor type",
            "",
            f"write `{statement.name}: static[int] = ...` with its type and value, "
            f"or `{statement.name}: ClassVar[int]` for a class constant",
        )
        return
    head = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    word = scope.word(head)
    if word is not None and word.kind == "classvar":
        _constant(scope, statement, annotation, body)
        return
    role = decode_role(scope, annotation, f"the field `{statement.name}`")
    if role is None:
        return
    default, options = _default_and_options(scope, statement.value)
    check_default(scope, default)
    body.fields.append(
        FieldDecl(
            statement.name,
            role[0],
            role[1],
            default,
            options,
            statement.doc,
            statement.name_span,
            role[2],
        )
    )


def _constant(
    scope: Scope, statement: syntax.Assign, annotation: syntax.Expr, body: _Body
) -> None:
    items = annotation.items if isinstance(annotation, syntax.Subscript) else ()
    if len(items) != 1 or statement.value is None:
        scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation.span,
            f"the class constant `{statement.name}` needs a type and a value",
            "",
            f"write `{statement.name}: ClassVar[int] = 3`",
        )
        return
    body.constants.append(
        ConstantDecl(
            statement.name, items[0], statement.value, statement.doc, statement.name_span
        )
    )


def _default_and_options(
    scope: Scope, value: syntax.Expr | None
) -> tuple[syntax.Expr | None, tuple[OptionDecl, ...]]:
    """Take `= value` or `= field(default=value, ...)` apart."""
    call = value if isinstance(value, syntax.Call) else None
    word = scope.word(call.function) if call else None
    if call is None or (word is None and not _is_field_call(call)):
        return value, ()
    if word is None:
        scope.add(
            Code.MISSING_IMPORT,
            call.function.span,
            "`field` is not imported",
            "",
            import_help("field"),
        )
    elif word.kind != "field":
        return value, ()
    for extra in call.arguments:
        scope.add(
            Code.UNKNOWN_OPTION,
            extra.span,
            "`field` takes keyword arguments only",
            "",
            "write `field(default=...)`",
        )
    default: syntax.Expr | None = None
    options: list[OptionDecl] = []
    for keyword in call.keywords:
        if keyword.name == "default":
            default = keyword.value
        elif keyword.name in FIELD_OPTIONS:
            options.append(OptionDecl(keyword.name, keyword.value, keyword.name_span))
        else:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`field` has no option `{keyword.name}`",
                "",
                _field_option_help(keyword.name),
            )
    return default, tuple(options)


def _is_field_call(call: syntax.Call) -> bool:
    return isinstance(call.function, syntax.Name) and call.function.id == "field"


def _field_option_help(name: str) -> str:
    if name == "default_factory":
        return "values are immutable, so a default is shared: write `default=...`"
    if name in ("converter", "on_setattr"):
        return "did you mean `convert`?"
    return did_you_mean(
        name,
        list(FIELD_OPTIONS),
        "options are " + ", ".join(f"`{o}`" for o in FIELD_OPTIONS),
    )


def _share(scope: Scope, call: syntax.Call) -> ShareDecl | None:
    word = scope.word(call.function)
    if word is None or word.kind != "share":
        named_share = isinstance(call.function, syntax.Name) and call.function.id == "share"
        scope.add(
            Code.MISSING_IMPORT if named_share else Code.OUTSIDE_LANGUAGE,
            call.function.span,
            "`share` is not imported" if named_share else "a call stands alone in a class",
            "" if named_share else "only `share(...)` may",
            import_help("share") if named_share else "",
        )
        return None
    paths = [_path(expr) for expr in call.arguments]
    if len(paths) < 2 or call.keywords or not all(paths):
        wrong = next((e for e, p in zip(call.arguments, paths, strict=True) if not p), call)
        scope.add(
            Code.WRONG_SHARE,
            wrong.span,
            "`share` takes two or more paths of attributes",
            "",
            "write `share(embed, encoder.embed)`: the first owns the shared part",
        )
        return None
    return ShareDecl(
        tuple(PathDecl(p, e.span) for p, e in zip(paths, call.arguments, strict=True)), call.span
    )


def _path(expr: syntax.Expr) -> tuple[str, ...]:
    if isinstance(expr, syntax.Name):
        return (expr.id,)
    if isinstance(expr, syntax.Attribute):
        head = _path(expr.value)
        return (*head, expr.name) if head else ()
    return ()
