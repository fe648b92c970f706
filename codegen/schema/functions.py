"""Read functions, methods and properties, and the `impl` that each of them names.

@impl("heat_model:step")
def step(plate: donated[Plate], n: static[int] = 1) -> Plate: ...
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.habits import HABITS
from codegen.schema.names import check_name, check_twice
from codegen.schema.nodes import FunctionDecl, FunctionKind, ImplDecl, ParameterDecl
from codegen.schema.paths import path_help, split_path
from codegen.schema.renames import former_names
from codegen.schema.roles import decode_role, missing_words
from codegen.schema.scope import Scope, listed
from codegen.schema.vocabulary import DECORATORS
from codegen.syntax import nodes as syntax
from codegen.syntax.special import GENERATED, is_special

_KINDS: tuple[FunctionKind, ...] = ("property", "classmethod", "staticmethod")
_HABITS = {
    "cached_property": "write `@property`",
    "overload": "declare one signature: unions are `A | B`",
    "override": "leave it out",
}
_HABITS_IN_CLASS = {
    "jit": "leave it out: a method is called as it is; a function of the module is jitted",
}

# The options of a function's `impl`: their type, what is expected, and how one is written.
_OPTIONS: dict[str, tuple[type, str, str]] = {
    "checks": (bool, "`True` or `False`", "checks=False"),
    "keep_unused": (bool, "`True` or `False`", "keep_unused=True"),
    "traces": (int, "a whole number, 1 or more", "traces=1"),
}


def decode_function(
    scope: Scope, node: syntax.Function, *, in_class: bool = False
) -> FunctionDecl | None:
    """Read one function; in a class, parameters carry no roles and `self` comes first."""
    if _is_refused(scope, node, in_class=in_class):
        return None
    impl, kind = decode_decorators(scope, node, in_class=in_class)
    parameters = node.parameters
    what = f"the {'method' if in_class else 'function'} `{node.name}`"
    check_twice(scope, [(one.name, one.name_span) for one in parameters], what)
    if in_class:
        parameters = _behind_first(scope, node, kind)
    if kind == "property" and parameters:
        scope.add(
            Code.WRONG_SIGNATURE,
            parameters[0].span,
            f"the property `{node.name}` takes an argument",
            label="a property has `self` alone",
            advice="leave `@property` out: it is a method then",
        )
    decoded = [_parameter(scope, parameter, in_class=in_class) for parameter in parameters]
    found = tuple(parameter for parameter in decoded if parameter is not None)
    returns = _returns(scope, node)
    if returns is None or impl is None or len(found) != len(parameters):
        # The names of what is refused count all the same.
        return None
    was = former_names(scope, node, may_move=not in_class)
    return FunctionDecl(node.name, impl, found, returns, kind, node.doc, was, node.name_span)


def _is_refused(scope: Scope, node: syntax.Function, *, in_class: bool) -> bool:
    """Report a function that no schema can have; nothing else of it matters then."""
    if is_special(node.name) and (not in_class or node.name in GENERATED):
        what = "method" if in_class else "function"
        check_name(scope, node.name, node.name_span, what, member=in_class)
        return True
    return False


def _returns(scope: Scope, node: syntax.Function) -> syntax.Expr | None:
    returns = node.returns
    if returns is None:
        scope.add(
            Code.WRONG_SIGNATURE,
            node.name_span,
            f"`{node.name}` does not say what it returns",
            label="no result type",
            advice="add `-> Type` behind the parameters; `-> None` if it returns nothing",
        )
        return None
    head = returns.value if isinstance(returns, syntax.Subscript) else returns
    word = scope.word(head)
    if word is None or word.kind != "role":
        return returns
    scope.add(
        Code.NESTED_ROLE,
        head.span,
        f"the result of `{node.name}` has a role",
        label="a result is new, and has none",
        advice=f"write the type alone, without `{word.name}[...]`",
    )
    return None


def decode_decorators(
    scope: Scope, node: syntax.Function, *, in_class: bool
) -> tuple[ImplDecl | None, FunctionKind]:
    """Read what a function runs, and what kind of function it is."""
    impls: list[ImplDecl | None] = []
    kinds: list[FunctionKind] = []
    for decorator in node.decorators:
        call = decorator if isinstance(decorator, syntax.Call) else None
        target = call.function if call else decorator
        kind = scope.kind(target)
        if kind == "impl" and impls:
            scope.add(
                Code.OUTSIDE_LANGUAGE,
                decorator.span,
                f"`{node.name}` has more than one `@impl`",
                label="it can run one function",
                advice="keep one of them",
            )
        elif kind == "impl":
            impls.append(_impl(scope, decorator, call, in_class=in_class))
        elif kind == "decorator" and in_class and call is None:
            kinds.extend(one for one in _KINDS if one == _named(target))
            _check_kinds(scope, node, decorator, kinds)
        elif kind == "unknown" or _named(target) == "impl":
            # Reported at its import, or as one that is missing.
            impls.append(None)
            if kind != "unknown":
                scope.missing_import("impl", target.span)
                missing_words(scope, node.returns)
        else:
            _unknown_decorator(scope, decorator, _named(target), in_class=in_class)
    if not impls:
        scope.add(
            Code.MISSING_IMPL,
            node.name_span,
            f"`{node.name}` does not say what it runs",
            label="no `@impl`",
            advice=f'put `@impl("your_module:{node.name}")` above it',
        )
    kinds.append("method" if in_class else "function")
    return impls[0] if impls else None, kinds[0]


def _check_kinds(
    scope: Scope, node: syntax.Function, decorator: syntax.Expr, kinds: list[FunctionKind]
) -> None:
    if len(kinds) > 1:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            decorator.span,
            f"`{node.name}` is a {kinds[0]} and a {kinds[-1]}",
            label="it can be one of them",
            advice="keep one of them",
        )


def _named(target: syntax.Expr) -> str:
    return target.id if isinstance(target, syntax.Name) else getattr(target, "name", "")


def _unknown_decorator(scope: Scope, decorator: syntax.Expr, name: str, *, in_class: bool) -> None:
    words = ["impl", *DECORATORS] if in_class else ["impl"]
    expected = listed([f"@{word}" for word in words], "or")
    otherwise = "leave it out; what has to wrap the function belongs around the one it runs"
    if name in words:
        otherwise = f"write `@{name}`, and nothing behind it"
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        decorator.span,
        "this decorator is not part of the schema language",
        label=f"expected {expected}",
        advice=(_HABITS_IN_CLASS.get(name) if in_class else None)
        or _HABITS.get(name)
        or HABITS.get(name)
        or (otherwise if name in words else did_you_mean(name, words, otherwise)),
    )


def _impl(
    scope: Scope, decorator: syntax.Expr, call: syntax.Call | None, *, in_class: bool
) -> ImplDecl | None:
    path = call.arguments[0] if call and len(call.arguments) == 1 else None
    place = split_path(path)
    if call is None or place is None:
        scope.add(
            Code.WRONG_PATH,
            path.span if path else decorator.span,
            "`impl` takes the place of a function, as one string",
            label='expected "module:function"',
            advice=path_help(path, '@impl("{}")'),
        )
        return None
    if in_class:
        for keyword in call.keywords:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`impl` has no option `{keyword.name}` in a class",
                label="unknown option",
                advice="a method is not jitted and has no options",
            )
        return ImplDecl(*place, span=call.span)
    return ImplDecl(*place, **_options(scope, call.keywords), span=call.span)


def _options(scope: Scope, keywords: Sequence[syntax.Keyword]) -> dict[str, Any]:
    """Read the options of a function's `impl`."""
    found: dict[str, Any] = {}
    for keyword in keywords:
        value = keyword.value
        given: Any = value.value if isinstance(value, syntax.Constant) else None
        if keyword.name not in _OPTIONS:
            scope.add(
                Code.UNKNOWN_OPTION,
                keyword.name_span,
                f"`impl` has no option `{keyword.name}`",
                label="unknown option",
                advice=did_you_mean(
                    keyword.name,
                    list(_OPTIONS),
                    "its options are `checks`, `keep_unused` and `traces`; roles say which "
                    "arguments are static or donated",
                ),
            )
            continue
        kind, expected, example = _OPTIONS[keyword.name]
        fits = kind is bool or (isinstance(given, int) and given >= 1)
        if type(given) is kind and fits:
            found[keyword.name] = given
        else:
            scope.add(
                Code.WRONG_OPTION,
                value.span,
                f"`{keyword.name}` cannot have this value",
                label=f"expected {expected}",
                advice=f"write `{example}`",
            )
    return found


def _behind_first(
    scope: Scope, node: syntax.Function, kind: FunctionKind
) -> tuple[syntax.Parameter, ...]:
    """The parameters behind `self` or `cls`; a static method has neither."""
    first = node.parameters[0] if node.parameters else None
    if kind == "staticmethod":
        return _static(scope, node, first)
    name = "cls" if kind == "classmethod" else "self"
    if first is None or first.name != name or first.kind == "keyword":
        scope.add(
            Code.WRONG_SIGNATURE,
            first.span if first else node.name_span,
            f"the {kind} `{node.name}` does not take `{name}` first",
            label=f"expected `{name}`",
            advice=f"write `def {node.name}({name}, ...)`",
        )
        # One without a type is `self` by another name: nothing else is wrong with it.
        is_meant = first is not None and first.kind == "positional" and first.annotation is None
        return node.parameters[1:] if is_meant else node.parameters
    if first.annotation is not None or first.default is not None:
        scope.add(
            Code.WRONG_SIGNATURE,
            first.span,
            f"`{name}` of the {kind} `{node.name}` has a type or a default",
            label=f"`{name}` stands alone",
            advice=f"write `{name}`",
        )
    return node.parameters[1:]


def _static(
    scope: Scope, node: syntax.Function, first: syntax.Parameter | None
) -> tuple[syntax.Parameter, ...]:
    if first is None or first.name not in ("self", "cls") or first.annotation is not None:
        return node.parameters
    scope.add(
        Code.WRONG_SIGNATURE,
        first.span,
        f"the staticmethod `{node.name}` takes `{first.name}`",
        label="it is given neither object nor class",
        advice="leave it out, or leave `@staticmethod` out",
    )
    return node.parameters[1:]


def _parameter(
    scope: Scope, parameter: syntax.Parameter, *, in_class: bool
) -> ParameterDecl | None:
    check_name(scope, parameter.name, parameter.name_span, "parameter")
    annotation = parameter.annotation
    if in_class:
        return _method_parameter(scope, parameter)
    if annotation is None:
        scope.add(
            Code.MISSING_ROLE,
            parameter.span,
            f"the parameter `{parameter.name}` has neither role nor type",
            label="static, dynamic or donated?",
            advice=f"write `{parameter.name}: dynamic[f32]`, say",
        )
        return None
    role = decode_role(scope, annotation, f"the parameter `{parameter.name}`")
    if role is None:
        return None
    return ParameterDecl(
        name=parameter.name,
        role=role.role,
        type=role.type,
        default=parameter.default,
        keyword_only=parameter.kind == "keyword",
        span=parameter.span,
        role_span=role.span,
    )


def _method_parameter(scope: Scope, parameter: syntax.Parameter) -> ParameterDecl | None:
    annotation = parameter.annotation
    if annotation is None:
        scope.add(
            Code.WRONG_SIGNATURE,
            parameter.span,
            f"the parameter `{parameter.name}` has no type",
            label="of which type?",
            advice=f"write `{parameter.name}: float`, say",
        )
        return None
    head = annotation.value if isinstance(annotation, syntax.Subscript) else annotation
    if scope.kind(head) == "role":
        scope.add(
            Code.ROLE_IN_METHOD,
            head.span,
            f"the method's parameter `{parameter.name}` has a role",
            label="a method is called as it is, not jitted",
            advice="write the type alone; for a jitted function, declare it in the module",
        )
        return None
    return ParameterDecl(
        name=parameter.name,
        role=None,
        type=annotation,
        default=parameter.default,
        keyword_only=parameter.kind == "keyword",
        span=parameter.span,
    )
