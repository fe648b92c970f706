"""Read functions, methods and properties, and the `impl` that each of them names.

@impl("heat_model:step")
def step(plate: donated[Plate], n: static[int] = 1) -> Plate: ...
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.names import (
    GENERATED,
    check_name,
    check_twice,
    former_names,
    is_special,
    path_help,
    path_of,
)
from codegen.schema.nodes import (
    Function,
    FunctionDecl,
    FunctionKind,
    ImplDecl,
    Parameter,
    ParameterDecl,
)
from codegen.schema.roles import decode_role, missing_words
from codegen.schema.scope import Scope, listed
from codegen.schema.stub import ParameterNode, constant, head, name_of, parameters
from codegen.schema.vocabulary import DECORATORS, HABITS

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
    scope: Scope, node: ast.FunctionDef, *, in_class: bool = False
) -> FunctionDecl | None:
    """Read one function; in a class, parameters carry no roles and `self` comes first."""
    if _is_refused(scope, node, in_class=in_class):
        return None
    impl, kind = decode_decorators(scope, node, in_class=in_class)
    taken = parameters(node)
    what = f"the {'method' if in_class else 'function'} `{node.name}`"
    check_twice(scope, [(one.name, scope.source.name_span(one.node)) for one in taken], what)
    if in_class:
        taken = _after_self(scope, node, kind)
    if kind == "property" and taken:
        scope.add(
            Code.WRONG_SIGNATURE,
            taken[0].node,
            f"the property `{node.name}` takes an argument",
            label="a property has `self` alone",
            advice="leave `@property` out: it is a method then",
        )
    decoded = [_parameter(scope, parameter, in_class=in_class) for parameter in taken]
    found = tuple(parameter for parameter in decoded if parameter is not None)
    returns = _returns(scope, node)
    if returns is None or impl is None or len(found) != len(taken):
        # The names of what is refused count all the same.
        return None
    was = former_names(scope, node, may_move=not in_class)
    span = scope.source.name_span(node)
    return Function(node.name, impl, found, returns, kind, scope.doc(node), was, span)


def _is_refused(scope: Scope, node: ast.FunctionDef, *, in_class: bool) -> bool:
    """Report a function that no schema can have; nothing else of it matters then."""
    if is_special(node.name) and (not in_class or node.name in GENERATED):
        what = "method" if in_class else "function"
        check_name(scope, node.name, scope.source.name_span(node), what, member=in_class)
        return True
    return False


def _returns(scope: Scope, node: ast.FunctionDef) -> ast.expr | None:
    returns = node.returns
    if returns is None:
        scope.add(
            Code.WRONG_SIGNATURE,
            scope.source.name_span(node),
            f"`{node.name}` does not say what it returns",
            label="no result type",
            advice="add `-> Type` behind the parameters; `-> None` if it returns nothing",
        )
        return None
    word = scope.word(head(returns))
    if word is None or word.kind != "role":
        return returns
    scope.add(
        Code.NESTED_ROLE,
        head(returns),
        f"the result of `{node.name}` has a role",
        label="a result is new, and has none",
        advice=f"write the type alone, without `{word.name}[...]`",
    )
    return None


def decode_decorators(
    scope: Scope, node: ast.FunctionDef, *, in_class: bool
) -> tuple[ImplDecl | None, FunctionKind]:
    """Read what a function runs, and what kind of function it is."""
    impls: list[ImplDecl | None] = []
    kinds: list[FunctionKind] = []
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        target = call.func if call else decorator
        kind = scope.kind(target)
        if kind == "impl" and impls:
            scope.add(
                Code.OUTSIDE_LANGUAGE,
                decorator,
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
                scope.missing_import("impl", target)
                missing_words(scope, node.returns)
        else:
            _unknown_decorator(scope, decorator, _named(target), in_class=in_class)
    if not impls:
        scope.add(
            Code.MISSING_IMPL,
            scope.source.name_span(node),
            f"`{node.name}` does not say what it runs",
            label="no `@impl`",
            advice=f'put `@impl("your_module:{node.name}")` above it',
        )
    kinds.append("method" if in_class else "function")
    return impls[0] if impls else None, kinds[0]


def _check_kinds(
    scope: Scope, node: ast.FunctionDef, decorator: ast.expr, kinds: list[FunctionKind]
) -> None:
    if len(kinds) > 1:
        scope.add(
            Code.OUTSIDE_LANGUAGE,
            decorator,
            f"`{node.name}` is a {kinds[0]} and a {kinds[-1]}",
            label="it can be one of them",
            advice="keep one of them",
        )


def _named(target: ast.expr) -> str:
    if isinstance(target, ast.Attribute):
        return target.attr
    return name_of(target)


def _unknown_decorator(scope: Scope, decorator: ast.expr, name: str, *, in_class: bool) -> None:
    words = ["impl", *DECORATORS] if in_class else ["impl"]
    expected = listed([f"@{word}" for word in words], "or")
    otherwise = "leave it out; what has to wrap the function belongs around the one it runs"
    if name in words:
        otherwise = f"write `@{name}`, and nothing behind it"
    scope.add(
        Code.OUTSIDE_LANGUAGE,
        decorator,
        "this decorator is not part of the schema language",
        label=f"expected {expected}",
        advice=(_HABITS_IN_CLASS.get(name) if in_class else None)
        or _HABITS.get(name)
        or HABITS.get(name)
        or (otherwise if name in words else did_you_mean(name, words, otherwise)),
    )


def _impl(
    scope: Scope, decorator: ast.expr, call: ast.Call | None, *, in_class: bool
) -> ImplDecl | None:
    path = call.args[0] if call and len(call.args) == 1 else None
    place = path_of(path)
    if call is None or place is None:
        scope.add(
            Code.WRONG_PATH,
            path or decorator,
            "`impl` takes the place of a function, as one string",
            label='expected "module:function"',
            advice=path_help(path, '@impl("{}")'),
        )
        return None
    if in_class:
        for keyword in call.keywords:
            scope.add(
                Code.UNKNOWN_OPTION,
                scope.source.name_span(keyword),
                f"`impl` has no option `{keyword.arg}` in a class",
                label="unknown option",
                advice="a method is not jitted and has no options",
            )
        return ImplDecl(*place, span=scope.source.span(call))
    return ImplDecl(*place, **_options(scope, call.keywords), span=scope.source.span(call))


def _options(scope: Scope, keywords: Sequence[ast.keyword]) -> dict[str, Any]:
    """Read the options of a function's `impl`."""
    found: dict[str, Any] = {}
    for keyword in keywords:
        name, given = keyword.arg or "", constant(keyword.value)
        if name not in _OPTIONS:
            scope.add(
                Code.UNKNOWN_OPTION,
                scope.source.name_span(keyword),
                f"`impl` has no option `{name}`",
                label="unknown option",
                advice=did_you_mean(
                    name,
                    list(_OPTIONS),
                    "its options are `checks`, `keep_unused` and `traces`; roles say which "
                    "arguments are static or donated",
                ),
            )
            continue
        kind, expected, example = _OPTIONS[name]
        fits = kind is bool or (isinstance(given, int) and given >= 1)
        if type(given) is kind and fits:
            found[name] = given
        else:
            scope.add(
                Code.WRONG_OPTION,
                keyword.value,
                f"`{name}` cannot have this value",
                label=f"expected {expected}",
                advice=f"write `{example}`",
            )
    return found


def _after_self(scope: Scope, node: ast.FunctionDef, kind: FunctionKind) -> list[ParameterNode]:
    """The parameters after `self` or `cls`; a static method has neither."""
    taken = parameters(node)
    first, rest = (taken[0], taken[1:]) if taken else (None, [])
    if kind == "staticmethod":
        return _static(scope, node, first)
    name = "cls" if kind == "classmethod" else "self"
    if first is None or first.name != name or first.keyword_only:
        scope.add(
            Code.WRONG_SIGNATURE,
            first.node if first else scope.source.name_span(node),
            f"the {kind} `{node.name}` does not take `{name}` first",
            label=f"expected `{name}`",
            advice=f"write `def {node.name}({name}, ...)`",
        )
        # One without a type is `self` by another name: nothing else is wrong with it.
        is_meant = first and not first.keyword_only and first.node.annotation is None
        return rest if is_meant else taken
    if first.node.annotation is not None or first.default is not None:
        scope.add(
            Code.WRONG_SIGNATURE,
            first.node,
            f"`{name}` of the {kind} `{node.name}` has a type or a default",
            label=f"`{name}` stands alone",
            advice=f"write `{name}`",
        )
    return rest


def _static(
    scope: Scope, node: ast.FunctionDef, first: ParameterNode | None
) -> list[ParameterNode]:
    taken = parameters(node)
    if first is None or first.name not in ("self", "cls") or first.node.annotation is not None:
        return taken
    scope.add(
        Code.WRONG_SIGNATURE,
        first.node,
        f"the staticmethod `{node.name}` takes `{first.name}`",
        label="it is given neither object nor class",
        advice="leave it out, or leave `@staticmethod` out",
    )
    return taken[1:]


def _parameter(scope: Scope, parameter: ParameterNode, *, in_class: bool) -> ParameterDecl | None:
    check_name(scope, parameter.name, scope.source.name_span(parameter.node), "parameter")
    annotation = parameter.node.annotation
    if in_class:
        return _method_parameter(scope, parameter)
    if annotation is None:
        scope.add(
            Code.MISSING_ROLE,
            parameter.node,
            f"the parameter `{parameter.name}` has neither role nor type",
            label="static, dynamic or donated?",
            advice=f"write `{parameter.name}: dynamic[f32]`, say",
        )
        return None
    role = decode_role(scope, annotation, f"the parameter `{parameter.name}`")
    if role is None:
        return None
    return Parameter(
        name=parameter.name,
        role=role.role,
        type=role.type,
        default=parameter.default,
        keyword_only=parameter.keyword_only,
        span=scope.source.span(parameter.node),
        role_span=role.span,
    )


def _method_parameter(scope: Scope, parameter: ParameterNode) -> ParameterDecl | None:
    annotation = parameter.node.annotation
    if annotation is None:
        scope.add(
            Code.WRONG_SIGNATURE,
            parameter.node,
            f"the parameter `{parameter.name}` has no type",
            label="of which type?",
            advice=f"write `{parameter.name}: float`, say",
        )
        return None
    if scope.kind(head(annotation)) == "role":
        scope.add(
            Code.ROLE_IN_METHOD,
            head(annotation),
            f"the method's parameter `{parameter.name}` has a role",
            label="a method is called as it is, not jitted",
            advice="write the type alone; for a jitted function, declare it in the module",
        )
        return None
    return Parameter(
        name=parameter.name,
        role=None,
        type=annotation,
        default=parameter.default,
        keyword_only=parameter.keyword_only,
        span=scope.source.span(parameter.node),
    )
