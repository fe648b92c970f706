r"""Lints about the Python functions that schemas name. Modules are parsed, never imported.

find_missing_name("class Model:\n    def step(self): ...", "Model.stop")    ->    MissingName("stop", {"step"})
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from codegen.diagnostics import Code, Diagnostic
from codegen.diagnostics.suggest import did_you_mean
from codegen.lint.linting import Linting
from codegen.program.nodes import Function, FunctionPath, Module
from codegen.program.references import named_functions
from codegen.schema.nodes import ImplDecl
from codegen.source import parse_python


def unknown_implementation(linting: Linting) -> Iterator[Diagnostic]:
    """Report each path whose module is in the project but lacks the function.

    @impl("heat_model:stpe")    ->    UNKNOWN_IMPLEMENTATION: `heat_model` has no `stpe`
    """
    for module in linting.program.modules:
        for path in named_functions(module):
            text = linting.python(path.module)
            missing = None if text is None else find_missing_name(text, path.attribute)
            if missing is not None:
                yield linting.warn(
                    Code.UNKNOWN_IMPLEMENTATION,
                    path.span,
                    f"the schema calls `{path.module}:{path.attribute}`, but `{path.module}` has no "
                    f"`{missing.name}`",
                    label="the first call raises AttributeError",
                    advice=did_you_mean(
                        missing.name,
                        missing.names,
                        f"define `{missing.name}` in `{path.module}`",
                    ),
                )


# The arguments of `init=`, which are those of JAX initializers.
_OF_INITIALIZERS = ("key", "shape", "dtype")
_ANY_NAME = ""
_OF_OBJECTS = ("self", "cls")  # only the object or the class has these names


def implementation_parameters(linting: Linting) -> Iterator[Diagnostic]:
    """Report each function in the project whose parameters are in a different order.

    @impl("heat_model:step")                                      # def step(rod, dt, rate): ...
    def step(rod: ..., rate: ..., dt: ...) -> Rod: ...    ->    IMPLEMENTATION_PARAMETERS
    """
    for module in linting.program.modules:
        for path, declared in _calls(module):
            text = linting.python(path.module)
            signature = None if text is None else parameters(text, path.attribute)
            fault = "" if signature is None or len(declared) < 2 else _fault(declared, signature)
            if signature is not None and fault:
                keywords = ["*", *sorted(signature.by_keyword)] if signature.by_keyword else []
                expected = ", ".join(name or "self" for name in declared)
                taken = ", ".join([*signature.positional, *keywords])
                yield linting.warn(
                    Code.IMPLEMENTATION_PARAMETERS,
                    path.span,
                    f"`{path.module}:{path.attribute}` is called by position with ({expected}), but "
                    f"its parameters are ({taken})",
                    label=fault,
                    advice=f"rename or reorder the parameters of `{path.attribute}`, or write a "
                    f"function with the declared order that calls `{path.attribute}`",
                )


def _calls(module: Module) -> Iterator[tuple[ImplDecl | FunctionPath, Sequence[str]]]:
    """Yield each function that is called with several arguments, and their names."""
    for function in module.functions:
        yield function.impl, _names(function)
    for node in module.classes:
        for method in node.methods:
            is_static = method.kind == "staticmethod"
            yield method.impl, _names(method) if is_static else [_ANY_NAME, *_names(method)]
        for field in node.own_fields:
            if isinstance(field.init, FunctionPath):
                yield field.init, _OF_INITIALIZERS


def _names(function: Function) -> list[str]:
    return [parameter.name for parameter in function.parameters]


def _fault(declared: Sequence[str], signature: CallSignature) -> str:
    """Describe the declared parameter whose position differs, as the runtime package does."""
    positional = list(signature.positional)
    if signature.is_decorated:
        # Compare only the order of the names that both have.
        declared = [name for name in declared if name in positional]
        positional = [name for name in positional if name in declared]
    elif by_keyword := signature.by_keyword.intersection(declared):
        return f"`{min(by_keyword)}` is keyword-only"
    elif declared[0] == _ANY_NAME:
        misplaced = [name for name in positional[1:] if name in _OF_OBJECTS]
        if misplaced:
            return f"the object would be passed as `{positional[0]}`, not as `{misplaced[0]}`"
        positional[:1] = [_ANY_NAME]
    for name, taken in zip(declared, positional, strict=False):
        if name and name != taken and name in positional:
            return f"`{name}` would be passed as `{taken}`"
    return ""


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ANYTHING = "globals()"
_MAY_HAVE_ANY_NAME = ("*", "__getattr__", _ANYTHING)


class MissingName(Struct, frozen=True):
    r"""The first name of a dotted path that is missing, and the names that exist.

        find_missing_name("class Model:\n    def step(self): ...", "Model.stop")    ->    MissingName("stop", {"step"})
        parameters("def step(rod, *, dt): ...", "step")    ->    CallSignature(("rod",), {"dt"})

    Names that a module creates while it runs are unknown. A module may have any name if it has
    `__getattr__`, an import of `*`, `globals()`, or an assignment to an attribute. The same applies
    to a class with bases or a decorator.
    """

    name: str
    names: frozenset[str]


class CallSignature(Struct, frozen=True):
    """The parameters of a function or class, as its callers see them."""

    positional: tuple[str, ...]
    by_keyword: frozenset[str]
    is_decorated: bool  # so there may be other parameters before them


def find_missing_name(text: str, path: str) -> MissingName | None:
    """Return the name of a dotted path that a module lacks; None if it may have all of them."""
    result = _find(text, path)
    return result if isinstance(result, MissingName) else None


def parameters(text: str, path: str) -> CallSignature | None:
    """Return the parameters of the object at a dotted path; None if unknown or arbitrary."""
    nodes = _find(text, path)
    if nodes is None or isinstance(nodes, MissingName):
        return None
    node, is_bound = nodes[-1], False
    if isinstance(node, ast.ClassDef):
        members = dict(_bound(node.body))
        is_plain = not (node.bases or node.keywords or node.decorator_list)
        node, is_bound = members.get("__init__", node), True
        if not is_plain or "__new__" in members:
            return None
    if not isinstance(node, ast.FunctionDef) or node.args.vararg is not None:
        return None
    decorators = {ast.unparse(one) for one in node.decorator_list}
    is_bound |= "classmethod" in decorators
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return CallSignature(
        tuple(names[is_bound:]),
        frozenset(one.arg for one in node.args.kwonlyargs),
        bool(decorators - {"classmethod", "staticmethod"}),
    )


def _find(text: str, path: str) -> list[ast.AST] | MissingName | None:
    """Return the nodes that the names of a dotted path are bound to; None if that is unknown."""
    body = _body(text)
    if body is None:
        return None
    nodes: list[ast.AST] = []
    names = path.split(".")
    for name in names:
        bound = dict(_bound(body))
        if not bound.keys().isdisjoint(_MAY_HAVE_ANY_NAME):
            return None
        if name not in bound:
            return MissingName(name, frozenset(bound))
        node = bound[name]
        nodes.append(node)
        if len(nodes) == len(names):
            break
        if not isinstance(node, ast.ClassDef):
            return None
        if node.bases or node.keywords or node.decorator_list:
            return None
        body = node.body
    return nodes


@lru_cache(maxsize=8)  # a module contains several functions
def _body(text: str) -> list[ast.stmt] | None:
    try:
        return parse_python(text).body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _bound(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Yield each name that statements bind, also inside `if`, `try` and `with`."""
    for node in nodes:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node
            case ast.alias():
                yield node.asname or node.name.partition(".")[0], node
            case ast.Name(ctx=ast.Store()):
                yield node.id, node
            case ast.Attribute(ctx=ast.Store()):
                yield _ANYTHING, node
            case ast.Call(func=ast.Name(id="globals" | "vars" | "locals" | "exec" | "setattr")):
                yield _ANYTHING, node
        if not isinstance(node, (*_DEFINITIONS, ast.Lambda)):
            yield from _bound(ast.iter_child_nodes(node))
