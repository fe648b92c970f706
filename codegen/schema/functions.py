"""Read functions, methods and properties, and the `impl` of each.

@impl("heat_model:step")
def step(plate: donated[Plate], n: static[int] = 1) -> Plate: ...
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Final

from codegen.diagnostics import Code
from codegen.diagnostics.suggest import did_you_mean
from codegen.schema.names import (
    GENERATED,
    PATH_ADVICE,
    check_duplicates,
    check_name,
    former_names,
    is_special,
    split_path,
)
from codegen.schema.nodes import (
    Function,
    FunctionDecl,
    FunctionKind,
    ImplDecl,
    Parameter,
    ParameterDecl,
)
from codegen.schema.roles import ROLE_USES, RoleAnnotation, decode_role
from codegen.schema.scope import Option, Refused, Scope, accepted, attempt, flag, listed
from codegen.schema.stub import ParameterNode, head, name_of, parameters
from codegen.schema.vocabulary import DECORATORS, HABITS
from codegen.source import NOWHERE

_KINDS: Final[tuple[FunctionKind, ...]] = ("property", "classmethod", "staticmethod")
_HABITS: Final = {
    **HABITS,
    "cached_property": "write `@property`",
    "overload": "declare one signature, with unions: `A | B`",
    "override": "remove `@override`",
}
_OPTIONS: Final = {
    "checks": flag("checks=False"),
    "compiler_options": Option(
        lambda value: isinstance(value, tuple),
        "a dict of names and literals",
        'compiler_options={"xla_gpu_enable_latency_hiding_scheduler": True}',
    ),
    "inline": flag("inline=True"),
    "keep_unused": flag("keep_unused=True"),
    "traces": Option(
        lambda value: type(value) is int and value >= 1, "an integer, 1 or more", "traces=1"
    ),
}
"""The options of a function's `impl`."""


def decode_function(scope: Scope, node: ast.FunctionDef, *, in_class: bool = False) -> FunctionDecl:
    """Read one function; in a class, parameters carry no roles and `self` comes first.

    Raises:
        Refused: if it has a mistake that leaves no function, which is reported.
    """
    what = "method" if in_class else "function"
    if is_special(node.name) and (not in_class or node.name in GENERATED):
        check_name(scope, node.name, scope.source.name_span(node), what, member=in_class)
        raise Refused
    impl, kind = decode_decorators(scope, node, in_class=in_class)
    taken = parameters(node)
    names = [(one.name, scope.source.name_span(one.node)) for one in taken]
    check_duplicates(scope, names, f"the {what} `{node.name}`")
    if in_class:
        taken = _parameters_after_self(scope, node, kind, taken)
    if kind == "property" and taken:
        scope.add(
            Code.WRONG_SIGNATURE,
            taken[0].node,
            f"the property `{node.name}` takes an argument",
            label="a property takes only `self`",
            advice=f"remove the parameter `{taken[0].name}`, or remove `@property` to declare a "
            "method",
        )
    decoded = tuple(accepted(partial(_parameter, scope, in_class), taken))
    returns = attempt(partial(_returns, scope), node)
    if returns is None or impl is None or len(decoded) != len(taken):
        # Parameters that are refused still count as names.
        raise Refused
    was = former_names(scope, node, may_move=not in_class)
    span = scope.source.name_span(node)
    return Function(node.name, impl, decoded, returns, kind, scope.doc(node), was, span=span)


def _returns(scope: Scope, node: ast.FunctionDef) -> ast.expr:
    if node.returns is None:
        raise scope.refused(
            Code.WRONG_SIGNATURE,
            scope.source.name_span(node),
            f"`{node.name}` has no result type",
            label="expected `-> Type`",
            advice="add the type after the parameters, for example `-> f32`. If "
            f"`{node.name}` returns nothing, add `-> None`",
        )
    word = scope.word(head(node.returns))
    if word is not None and word.kind == "role":
        raise scope.refused(
            Code.NESTED_ROLE,
            head(node.returns),
            f"the result of `{node.name}` has a role",
            label="a result has no role",
            advice=f"write only the type, without `{word.name}[...]`"
            if word.name != "ref"
            else "the caller keeps its Ref: return `None`, or the content of the Ref as an array, "
            "or an object that contains the Ref",
        )
    return node.returns


def decode_decorators(
    scope: Scope, node: ast.FunctionDef, *, in_class: bool
) -> tuple[ImplDecl | None, FunctionKind]:
    """Read which implementation a function runs, and which kind of function it is."""
    impls: list[ImplDecl | None] = []
    kinds: list[FunctionKind] = []
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        target = call.func if call else decorator
        name = target.attr if isinstance(target, ast.Attribute) else name_of(target)
        kind = scope.kind(target)
        if kind == "impl" and impls:
            _refuse_second(scope, node, decorator, "has more than one `@impl`")
        elif kind == "impl":
            impls.append(attempt(partial(_impl, scope, in_class), decorator))
        elif kind == "decorator" and in_class and call is None:
            kinds.extend(one for one in _KINDS if one == name)
            if len(kinds) > 1:
                what = f"is both a {kinds[0]} and a {kinds[-1]}"
                _refuse_second(scope, node, decorator, what)
        elif kind == "unknown":
            impls.append(None)
        else:
            impls += [None] if name == "impl" else []
            _refuse_unknown_decorator(scope, decorator, name, in_class=in_class)
    if not impls:
        scope.add(
            Code.MISSING_IMPL,
            scope.source.name_span(node),
            f"`{node.name}` has no implementation",
            label="`@impl` is missing",
            advice=f'write `@impl("your_module:{node.name}")` above `def {node.name}`',
        )
    kinds.append("method" if in_class else "function")
    return impls[0] if impls else None, kinds[0]


def _refuse_second(scope: Scope, node: ast.FunctionDef, decorator: ast.expr, what: str) -> None:
    message, label = f"`{node.name}` {what}", "only one is allowed"
    advice = "remove this decorator, or the one above"
    scope.outside_language(decorator, message, label=label, advice=advice)


def _refuse_unknown_decorator(
    scope: Scope, decorator: ast.expr, name: str, *, in_class: bool
) -> None:
    words = ["impl", *DECORATORS] if in_class else ["impl"]
    advice = _HABITS.get(name)
    if name in words:
        advice = f"write only `@{name}`"
        advice += ", and import `impl` from `codegen.schema`" if name == "impl" else ""
    otherwise = "remove the decorator. To wrap the function, decorate its implementation"
    scope.outside_language(
        decorator,
        "this decorator is not part of the schema language",
        label=f"expected {listed([f'@{word}' for word in words], 'or')}",
        advice=advice or did_you_mean(name, words, otherwise),
    )


def _impl(scope: Scope, in_class: bool, decorator: ast.expr) -> ImplDecl:
    call = decorator if isinstance(decorator, ast.Call) else None
    path = call.args[0] if call and len(call.args) == 1 else None
    place = split_path(path)
    if call is None or place is None:
        raise scope.refused(
            Code.WRONG_PATH,
            path or decorator,
            "the argument of `@impl` is not the path of a function",
            label='expected "module:function"',
            advice=PATH_ADVICE,
        )
    known, otherwise = _OPTIONS, f"the options are {listed(_OPTIONS)}; roles declare which "
    otherwise += "arguments are static or donated"
    if in_class:
        known, otherwise = {}, "remove it: a method is not jitted, so its `@impl` has no options"
    options = scope.options(call.keywords, known, "`impl`", otherwise)
    return ImplDecl(*place, **options, span=scope.source.span(call))


def _parameters_after_self(
    scope: Scope, node: ast.FunctionDef, kind: FunctionKind, taken: list[ParameterNode]
) -> list[ParameterNode]:
    """Return the parameters after `self` or `cls`; a static method has neither."""
    name = "cls" if kind == "classmethod" else "self"
    first, rest = taken[0] if taken else None, taken[1:]
    has_type = first is not None and first.node.annotation is not None
    if kind == "staticmethod":
        if first is None or first.name not in ("self", "cls") or has_type:
            return taken
        message = f"a `@staticmethod` must not have a parameter `{first.name}`"
        label = "a static method is called without an object and without a class"
        advice = f"remove `{first.name}`, or remove `@staticmethod`"
    elif first is None or first.name != name or first.keyword_only:
        message = f"the first parameter of the {kind} `{node.name}` must be `{name}`"
        # A first parameter without a type is `self` under another name. Nothing else is wrong
        # with it.
        rest = taken if first is None or first.keyword_only or has_type else rest
        label, advice = (
            f"expected `{name}`",
            f"write `{name}` first: `def {node.name}({name}, ...)`",
        )
    elif has_type or first.default is not None:
        message = f"`{name}` of the {kind} `{node.name}` must not have a type or a default"
        label, advice = f"expected only `{name}`", f"write only `{name}`"
    else:
        return rest
    where = first.node if first else scope.source.name_span(node)
    scope.add(Code.WRONG_SIGNATURE, where, message, label=label, advice=advice)
    return rest


def _parameter(scope: Scope, in_class: bool, parameter: ParameterNode) -> ParameterDecl:
    what = f"the parameter `{parameter.name}`"
    check_name(scope, parameter.name, scope.source.name_span(parameter.node), "parameter")
    annotation = parameter.node.annotation
    if annotation is None:
        raise scope.refused(
            Code.WRONG_SIGNATURE if in_class else Code.MISSING_ROLE,
            parameter.node,
            f"{what} has {'no type' if in_class else 'no role and no type'}",
            label="expected a type"
            if in_class
            else "expected `static[...]`, `dynamic[...]` or `donated[...]`",
            advice=f"write, for example, `{parameter.name}: float`"
            if in_class
            else f"write, for example, `{parameter.name}: dynamic[f32]` if {ROLE_USES['dynamic']}, "
            f"or `{parameter.name}: static[int]` if {ROLE_USES['static']}",
        )
    if not in_class:
        role = decode_role(scope, annotation, what)
    elif scope.kind(head(annotation)) != "role":
        role = RoleAnnotation(None, annotation, NOWHERE)
    else:
        raise scope.refused(
            Code.ROLE_IN_METHOD,
            head(annotation),
            f"the parameter `{parameter.name}` of a method must not have a role",
            label="a method is not jitted, so its parameters have no roles",
            advice="write only the type. If JAX must jit the function, declare the function at the "
            "top level of the module",
        )
    return Parameter(
        name=parameter.name,
        role=role.role,
        type=role.type,
        default=parameter.default,
        keyword_only=parameter.keyword_only,
        span=scope.source.span(parameter.node),
        role_span=role.span,
    )
