r"""Turn a source into the tree of one stub, or into the report of all its mistakes.

read(Source("heat.pyi", "heat", "nx = Dim()  # cells\n"))
# (Stub(tree=<nx = Dim()>, docs={<nx = Dim()>: Doc("cells")}), Report())

There are four checks: characters, forms that versions of Python read differently, Python's own
syntax, and the language. If one of them finds a mistake, the later ones do not run. The resulting
tree holds only nodes of the language. It is never executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from codegen.diagnostics import Report
from codegen.schema.comments import Doc, clean_docstring, scan
from codegen.schema.expressions import NEVER_RUN, ExpressionChecker
from codegen.schema.names import GENERATED
from codegen.schema.parse import keyword_named, parse
from codegen.schema.stub import (
    Assignment,
    ImportStatement,
    Stub,
    annotation,
    bound_name,
    elements,
    name_of,
    parameters,
    string,
)
from codegen.schema.text import DEPTH_MAX, check_characters, nested_too_deeply
from codegen.source import Source

_KEYWORD = re.compile(r"async[ \t]+\w+|\w+")
_ONE_FORM: Final = (
    "declare every case. Put code that depends on the run into your own Python module"
)
# The advice for a statement.
_STATEMENTS: dict[type[ast.stmt], str] = {
    **dict.fromkeys((ast.If, ast.Match, ast.Try, ast.TryStar), _ONE_FORM),
    **dict.fromkeys((ast.AsyncFor, ast.For, ast.While), "write each declaration separately"),
    ast.Assert: 'give the field a `convert="module:function"` that checks it',
}
_OTHER_STATEMENT: Final = (
    "declare dimensions, aliases, enums, classes and functions. Do anything else in the function "
    "that `@impl` names"
)


def read(source: Source) -> tuple[Stub | None, Report]:
    """Return the tree of a stub; None if the report is not empty."""
    report = check_characters(source)
    if report:
        return None, report
    scanned = scan(source)
    tree = parse(source, scanned)
    if isinstance(tree, Report):
        return None, tree
    checker = _Checker(source, scanned)
    checker.module(tree)
    if report := checker.scope.report:
        return None, report
    comments = checker.comments
    words = tuple(one for one in checker.words if one.id not in checker.dims)
    owned = {id(rename) for found in checker.renames.values() for rename in found}
    stray = tuple(one for one in comments.renames if id(one) not in owned)
    ignores = comments.ignores()
    return Stub(source, tree, checker.docs, words, ignores, checker.renames, stray), Report()


class _Checker(ExpressionChecker):
    """Checks the statements of a stub, and finds the documentation of each."""

    def module(self, tree: ast.Module) -> None:
        """Check a whole module."""
        imports = (one for one in tree.body if isinstance(one, ast.ImportFrom))
        names = [item for one in imports for item in one.names if item.name == "Literal"]
        self.literals.update(bound_name(item) for item in names)
        self._statements(self._docstring(tree, tree.body))

    def _docstring(
        self, node: ast.Module | ast.ClassDef | ast.FunctionDef, body: Sequence[ast.stmt]
    ) -> Sequence[ast.stmt]:
        """Keep the docstring of a body, and return the statements after it."""
        text = string(body[0]) if body else None
        if text is None:
            return body
        self.docs[node] = Doc(clean_docstring(text), self.source.span(body[0]))
        return body[1:]

    def _statements(self, body: Sequence[ast.stmt], depth: int = 0) -> None:
        above: ast.stmt | None = None
        for node, below in zip(body, [*body, None][1:], strict=True):
            documents = isinstance(above, Assignment) and string(node) is not None
            above = node
            if documents or _is_filler(node):
                continue
            if self.is_full(node):
                break
            if renames := self.comments.renames_after(node):
                self.renames[node] = renames
            match node:
                case ast.Assign() | ast.AnnAssign():
                    self._assignment(node, below)
                case ast.ClassDef():
                    self._class(node, depth)
                case ast.FunctionDef():
                    self._function(node)
                case ast.Import() | ast.ImportFrom():
                    self._import(node)
                case ast.Expr(value=ast.Call() as call):
                    self.check_expression(call)
                case ast.Expr():
                    self._refuse_expression(node)
                case _:
                    self._refuse_statement(node)

    def _import(self, node: ImportStatement) -> None:
        for item in node.names:
            if item.name == "*":
                self.scope.outside_language(
                    item,
                    "`import *` is not allowed, because it hides which names are imported",
                    label="expected names",
                    advice="import each name: `from module import First, Second`",
                )

    def _class(self, node: ast.ClassDef, depth: int) -> None:
        if depth == DEPTH_MAX:
            self.scope.add_diagnostic(nested_too_deeply(self.source.span(node)))
            return
        body = self._docstring(node, node.body)
        self.check_expressions(node.bases, head="")
        dims = [elements(one.value) for one in node.keywords if one.arg == "dims"]
        self.dims.update(name_of(name) for names in dims for name in names)
        self.check_keywords(node.keywords)
        self._statements(body, depth + 1)
        self.check_expressions(node.decorator_list)

    def _assignment(self, node: Assignment, below: ast.stmt | None) -> None:
        has_target = self._check_target(node)
        self._document(node, below)
        if (type := annotation(node)) is not None:
            self.check_expression(type, head="" if has_target else None)
        if node.value is not None:
            self.check_expression(node.value)

    def _document(self, node: Assignment, below: ast.stmt | None) -> None:
        """Keep the documentation of an assignment: the string below it, or its last comment."""
        text = string(below)
        if below is not None and text is not None and (words := clean_docstring(text)):
            self.docs[node] = Doc(words, self.source.span(below))
        elif doc := self.comments.documentation(self.source.span(node)):
            self.docs[node] = doc

    def _check_target(self, node: Assignment) -> bool:
        """Refuse an assignment that does not bind one name. Return whether it binds one."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        first, last = self.source.span(targets[0]), self.source.span(targets[-1])
        match targets:
            case [ast.Name()] if isinstance(node, ast.Assign) or node.simple:
                return True
            case [_, _, *_] | [ast.Tuple() | ast.List() | ast.Starred()]:
                message = "one assignment declares several names"
                advice = "declare each name on its own line"
            case _:
                message = "only a plain name can be declared"
                advice = "write `name: static[int]` or `name = value`"
        self.scope.outside_language(self.source.at(first.start, last.end), message, advice=advice)
        return False

    # --- functions

    def _function(self, node: ast.FunctionDef) -> None:
        body = self._docstring(node, node.body)
        # If the name itself is refused, like `__init__`, the rest does not matter.
        if node.name not in GENERATED:
            self._refuse_body(node, body)
            self._refuse_unnamed(node.args)
        for parameter in parameters(node):
            if parameter.node.annotation is not None:
                self.check_expression(parameter.node.annotation, head="")
            if parameter.default is not None:
                self.check_expression(parameter.default)
        if node.returns is not None:
            self.check_expression(node.returns, head="")
        self.check_expressions(node.decorator_list)

    def _refuse_body(self, node: ast.FunctionDef, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if not _is_filler(statement):
                self.scope.outside_language(
                    statement,
                    f"`{node.name}` has a body, but codegen never runs a schema",
                    label="only a docstring or `...` is allowed here",
                    advice="move the code into your own Python module, name it with "
                    f'`@impl("module:{node.name}")`, and keep only the docstring here',
                )
                return

    def _refuse_unnamed(self, arguments: ast.arguments) -> None:
        """Refuse parameters that have no name in a call: each parameter has its own role."""
        for stars, argument in (("*", arguments.vararg), ("**", arguments.kwarg)):
            if argument is not None:
                name = self.source.span(argument)
                start = self.code.rfind(stars, 0, name.start)
                self.scope.outside_language(
                    self.source.at(start, name.start + len(argument.arg)),
                    f"the parameter `{stars}{argument.arg}` takes any number of arguments",
                    label="every argument needs a name and a role",
                    advice="declare each argument, or one argument of type `tuple[T, ...]`",
                )
        if arguments.posonlyargs:
            end = self.source.span(arguments.posonlyargs[-1]).end
            if len(arguments.defaults) > len(arguments.args):
                last = len(arguments.defaults) - len(arguments.args) - 1
                end = self.source.span(arguments.defaults[last]).end
            slash = self.code.find("/", end)
            self.scope.outside_language(
                self.source.at(slash, slash + 1),
                "`/` is not allowed, because it hides the names of the parameters before it",
                label="the generated function also accepts keyword arguments",
                advice="remove the `/`",
            )

    # --- statements outside the language

    def _refuse_statement(self, node: ast.stmt) -> None:
        # Marking the first word is clearer than marking the whole body.
        span = self.source.span(node)
        match = _KEYWORD.match(self.code, span.start, span.end)
        where = self.source.at(*match.span()) if match else span
        advice = _STATEMENTS.get(type(node), _OTHER_STATEMENT)
        message, label = f"`{where.text}` is not allowed in a schema", NEVER_RUN
        if isinstance(node, ast.AugAssign):
            target = self.source.span(node.target)
            where = self.source.at(target.start, self.code.find("=", target.end) + 1)
            message = f"a schema cannot change the value of `{target.text}`"
            advice = f"write the whole value: `{target.text} = ...`"
        elif isinstance(node, ast.AsyncFunctionDef):
            message = (
                f"`{node.name}` is declared with `async`, but `jax.jit` cannot compile an "
                "async function"
            )
            label = "JAX does not await the result"
            advice = "remove `async`"
        self.scope.outside_language(where, message, label=label, advice=advice)

    def _refuse_expression(self, node: ast.Expr) -> None:
        """Refuse an expression that declares nothing."""
        if string(node) is not None:
            self.scope.outside_language(
                node,
                "this string documents nothing",
                label="no declaration is directly above this string",
                advice="move the string directly below the declaration that it documents, or write "
                "a comment",
            )
            return
        if isinstance(node.value, ast.Lambda):
            # `lambda: static[int]`: `lambda` is the only keyword that Python takes before a colon
            # as part of an expression.
            start = self.source.span(node).start
            self.scope.add_diagnostic(keyword_named(self.source.at(start, start + len("lambda"))))
            return
        name = name_of(node.value)
        example = name or "name"
        self.scope.outside_language(
            node,
            f"{f'`{name}`' if name else 'this expression'} declares nothing",
            label=NEVER_RUN,
            advice=f"add a type, as in `{example}: static[int]`, or a value, `{example} = ...`",
        )


def _is_filler(node: ast.stmt) -> bool:
    """Return whether a statement is `pass` or `...`, which only fill an empty body."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and node.value.value is ...
    return isinstance(node, ast.Pass)
