"""Read functions, methods and properties, and the `impl` that each of them names.

    @impl("heat_model:step")
    def step(plate: donated[Plate], n: static[int] = 1) -> Plate: ...
"""

from codegen.diagnostics.codes import Code
from codegen.schema.names import check_name
from codegen.schema.nodes import FunctionDecl, ImplDecl, ParameterDecl, Role
from codegen.schema.paths import split_path
from codegen.schema.scope import Scope, did_you_mean, import_help
from codegen.schema.vocabulary import ROLES
from codegen.source import Span
from codegen.syntax import nodes as syntax


def decode_function(
    scope: Scope, node: syntax.Function, *, method: bool = False
) -> FunctionDecl | None:
    """Read one function; in a class, `method`, the parameters carry no roles and `self` comes first."""
    impl, is_property = _decorators(scope, node, method=method)
    parameters = list(node.parameters)
    if method:
        parameters = _without_self(scope, node, parameters)
        if is_property and parameters:
            scope.add(
                Code.WRONG_SIGNATURE,
                parameters[0].span,
                f"the property `{node.name}` takes an argument",
                "a property has only `self`",
                "leave `@property` out to declare a method",
            )
    decoded = tuple(
        p for p in (_parameter(scope, parameter, method) for parameter in parameters) if p
    )
    if node.returns is None:
        scope.add(
            Code.WRONG_SIGNATURE,
            node.name_span,
            f"`{node.name}` does not say what it returns",
            "no result type",
            "add `-> Type` after the parameters",
        )
    if node.returns is None or impl is None or len(decoded) != len(parameters):
        return None
    return FunctionDecl(
        node.name, impl, decoded, node.returns, is_property, node.doc, node.name_span
    )


def _decorators(
    scope: Scope, node: syntax.Function, *, method: bool
) -> tuple[ImplDecl | None, bool]:
    impl: ImplDecl | None = None
    seen_impl = is_property = False
    for decorator in node.decorators:
        call = decorator if isinstance(decorator, syntax.Call) else None
        word = scope.word(call.function if call else decorator)
        if word is not None and word.kind == "impl":
            impl = _impl(scope, decorator, call, method=method)
            seen_impl = True
        elif word is not None and word.kind == "property" and method and call is None:
            is_property = True
        else:
            _unknown_decorator(scope, decorator, method=method)
            seen_impl = seen_impl or _is_named(decorator, "impl")
    if not seen_impl:
        scope.add(
            Code.MISSING_IMPL,
            node.name_span,
            f"`{node.name}` does not say what it runs",
            "no `@impl`",
            f'put `@impl("your_module:{node.name}")` above it',
        )
    return impl, is_property


def _is_named(decorator: syntax.Expr, name: str) -> bool:
    target = decorator.function if isinstance(decorator, syntax.Call) else decorator
    return isinstance(target, syntax.Name) and target.id == name


def _unknown_decorator(scope: Scope, decorator: syntax.Expr, *, method: bool) -> None:
    target = decorator.function if isinstance(decorator, syntax.Call) else decorator
    name = target.id if isinstance(target, syntax.Name) else ""
    if name == "impl":
        scope.add(
            Code.MISSING_IMPORT,
            target.span,
            "`impl` is not imported",
            "",
            import_help("impl"),
        )
        return
    words = ["impl", "property"] if method else ["impl"]
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        decorator.span,
        "this decorator is not part of the schema language",
        "expected " + " or ".join(f"`@{word}`" for word in words),
        did_you_mean(name, words),
    )


def _impl(
    scope: Scope, decorator: syntax.Expr, call: syntax.Call | None, *, method: bool
) -> ImplDecl | None:
    path = call.arguments[0] if call and len(call.arguments) == 1 else None
    place = split_path(path)
    if call is None or place is None:
        scope.add(
            Code.WRONG_PATH,
            path.span if path else decorator.span,
            "`impl` takes the place of a function, as one string",
            'expected "module:function"',
            'write `@impl("heat_model:step")`',
        )
        return None
    keep_unused = False
    for keyword in call.keywords:
        value = keyword.value
        if keyword.name != "keep_unused" or method:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`impl` has no option `{keyword.name}`" + (" in a class" if method else ""),
                "",
                did_you_mean(keyword.name, [] if method else ["keep_unused"]),
            )
        elif isinstance(value, syntax.Constant) and isinstance(value.value, bool):
            keep_unused = value.value
        else:
            scope.add(
                Code.WRONG_OPTION, value.span, "`keep_unused` is True or False", "", ""
            )
    return ImplDecl(*place, keep_unused, call.span)


def _without_self(
    scope: Scope, node: syntax.Function, parameters: list[syntax.Parameter]
) -> list[syntax.Parameter]:
    if parameters and parameters[0].name == "self" and parameters[0].annotation is None:
        return parameters[1:]
    scope.add(
        Code.WRONG_SIGNATURE,
        parameters[0].span if parameters else node.name_span,
        f"the method `{node.name}` does not take `self` first",
        "expected `self`",
        f"write `def {node.name}(self, ...)`",
    )
    return parameters


def _parameter(
    scope: Scope, parameter: syntax.Parameter, method: bool
) -> ParameterDecl | None:
    check_name(scope, parameter.name, parameter.name_span, "parameter")
    annotation = parameter.annotation
    if annotation is None:
        scope.add(
            Code.MISSING_ROLE,
            parameter.span,
            f"the parameter `{parameter.name}` has no " + ("type" if method else "role"),
            "",
            f"write `{parameter.name}: float`"
            if method
            else f"write `{parameter.name}: static[...]`, `dynamic[...]` or `donated[...]`",
        )
        return None
    if method:
        return _method_parameter(scope, parameter, annotation)
    role = decode_role(scope, annotation, f"the parameter `{parameter.name}`")
    if role is None:
        return None
    check_default(scope, parameter.default)
    return ParameterDecl(
        parameter.name,
        role[0],
        role[1],
        parameter.default,
        parameter.kind == "keyword",
        parameter.span,
        role[2],
    )


def _method_parameter(
    scope: Scope, parameter: syntax.Parameter, annotation: syntax.Expr
) -> ParameterDecl | None:
    head = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    word = scope.word(head)
    if word is not None and word.kind == "role":
        scope.add(
            Code.ROLE_IN_METHOD,
            head.span,
            f"the method's parameter `{parameter.name}` has a role",
            "methods are called as they are, not jitted",
            "leave the role out and write the type alone",
        )
        return None
    check_default(scope, parameter.default)
    return ParameterDecl(
        parameter.name,
        None,
        annotation,
        parameter.default,
        parameter.kind == "keyword",
        parameter.span,
    )


def decode_role(
    scope: Scope, annotation: syntax.Expr, what: str
) -> tuple[Role, syntax.Expr, Span] | None:
    """Take `role[T]` apart; `what` names the field or parameter in complaints."""
    if isinstance(annotation, syntax.Constant) and isinstance(annotation.value, str):
        scope.add(
            Code.QUOTED_ANNOTATION,
            annotation.span,
            f"the type of {what} is quoted",
            "a schema is never executed, so nothing needs quotes",
            f"write `{annotation.value}` without them" if len(annotation.value) < 60 else "",
        )
        return None
    head = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    word = scope.word(head)
    if word is None or word.kind != "role":
        _no_role(scope, annotation, head, what)
        return None
    items = annotation.items if isinstance(annotation, syntax.Subscript) else ()
    if len(items) != 1:
        scope.add(
            Code.WRONG_TYPE_ARGUMENTS,
            annotation.span,
            f"`{word.name}` takes exactly one type",
            f"{len(items)} given",
            f"write `{word.name}[T]`; several together are `{word.name}[tuple[A, B]]`",
        )
        return None
    role: Role = "static" if word.name == "static" else "dynamic"
    return ("donated" if word.name == "donated" else role), items[0], head.span


def _no_role(scope: Scope, annotation: syntax.Expr, head: syntax.Expr, what: str) -> None:
    name = head.id if isinstance(head, syntax.Name) else ""
    roles = [local for local, word in scope.words.items() if word.kind == "role"]
    if name in ROLES and scope.word(head) is None:
        scope.add(
            Code.MISSING_IMPORT,
            head.span,
            f"`{name}` is not imported",
            "",
            import_help(name),
        )
        return
    nearest = did_you_mean(name, sorted({*roles, *ROLES})) if name not in scope.words else ""
    if nearest and isinstance(annotation, syntax.Subscript):
        scope.add(
            Code.UNKNOWN_ROLE,
            head.span,
            f"`{name}` is not a role",
            "roles are `static`, `dynamic` and `donated`",
            nearest,
        )
        return
    scope.add(
        Code.MISSING_ROLE,
        annotation.span,
        f"{what} has a type but no role",
        "static, dynamic or donated?",
        "wrap the type: `static[T]` for the trace key, `dynamic[T]` for data, "
        "`donated[T]` for data whose buffer may be consumed",
    )


def check_default(scope: Scope, default: syntax.Expr | None) -> None:
    """Report the `...` that a stub formatter puts in place of a default."""
    if isinstance(default, syntax.Constant) and default.value is ...:
        scope.add(
            Code.ELLIPSIS_DEFAULT,
            default.span,
            "the default is `...`",
            "no value of the language",
            "ruff's rule PYI015 turns defaults of stubs into `...`: restore the value, and "
            "switch PYI off for the schema folder (`codegen init` does)",
        )
