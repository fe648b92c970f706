"""Check that a generated module contains only what its schema declares.

ModuleReader("heat.py", declared, outside, classes).module(tree)
# AssertionError: heat.py, line 12: `exec(...)` must not run here
"""

from __future__ import annotations

import ast

from codegen.program.nodes import Module
from codegen.program.references import named_functions
from codegen.schema.names import MEMBERS, PREFIX
from tests.reading.expressions import READ, Running, root_of

_PYTHON = (
    "__future__",
    "abc",
    "builtins",
    "cmath",
    "collections.abc",
    "dataclasses",
    "enum",
    "math",
    "typing",
)
_LIBRARIES = ("jax", "jaxlib", "jaxtyping", "numpy")
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign)


class ModuleReader:
    """Verifies one module: what runs when it is imported, what it defines, and what functions call."""

    def __init__(
        self, path: str, declared: Module, outside: frozenset[str], classes: frozenset[str]
    ) -> None:
        self.path = path
        self.declared = declared
        self.outside = outside
        # The names of all classes of the program.
        self.classes = classes
        # The builtins that the schema names, such as `field(convert="builtins:round")`.
        paths = named_functions(declared)
        self.named = {path.attribute for path in paths if path.module == "builtins"}
        # Names of Python that have another name here, because the schema declares their own.
        self.renamed: dict[str, str] = {}
        self.running = Running(self.fail, set(classes), self.renamed)

    def fail(self, node: ast.AST, what: str) -> None:
        """Fail with the place of the unexpected code."""
        raise AssertionError(f"{self.path}, line {getattr(node, 'lineno', 0)}: {what}")

    def module(self, tree: ast.Module) -> None:
        """Verify the statements of a module."""
        if not _is_docstring(tree.body[0]):
            self.fail(tree.body[0], "the docstring is missing")
        self._statements(tree.body)
        self._names(tree)
        members = self._members()
        for statement in tree.body:
            if isinstance(statement, ast.ClassDef) and statement.name in members:
                found = [one for one in _defined(statement.body) if not _is_generated(one)]
                if found != members[statement.name]:
                    what = f"the members of `{statement.name}` are not those of its schema"
                    self.fail(statement, what)

    def _names(self, tree: ast.Module) -> None:
        """Verify the names that a module defines, and those that it exports."""
        found = sorted(name for name in _defined(tree.body) if not name.startswith(PREFIX))
        declared = sorted(self.declared.defined_names)
        if found != sorted(["__all__", *declared]):
            wrong = sorted({*found} ^ {"__all__", *declared}) or found
            self.fail(tree, f"declares {', '.join(wrong)} not as its schema does")
        public = [name for name in declared if not name.startswith("_")]
        for statement in tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=names)):
                    if [getattr(name, "value", "") for name in names] != public:
                        self.fail(statement, "`__all__` is not what the schema declares")

    def _members(self) -> dict[str, list[str]]:
        """Return the names of the fields and methods of each class, and the members of each enum."""
        found: dict[str, list[str]] = {}
        for cls in self.declared.classes:
            found[cls.ref.name] = [one.name for one in cls.constants]
            found[cls.ref.name] += [one.name for one in cls.own_fields]
            found[cls.ref.name] += [one.name for one in cls.methods]
        for enum in self.declared.enums:
            found[enum.ref.name] = [one.name for one in enum.members]
        return found

    def _statements(self, body: list[ast.stmt]) -> None:
        """Verify statements that an import runs, at the top of the module or inside a class."""
        for statement in body:
            match statement:
                case ast.Import() | ast.ImportFrom():
                    self._import(statement)
                case ast.If(
                    test=ast.Name(id="TYPE_CHECKING" | "_codegen_TYPE_CHECKING"), orelse=[]
                ):
                    self._statements(statement.body)
                case ast.Try(handlers=[handler], orelse=[], finalbody=[]):
                    self._statements(statement.body)
                    self._body(handler.body, set())
                case ast.ClassDef():
                    self._class(statement)
                case ast.FunctionDef():
                    self._function(statement)
                case ast.Assign(value=value):
                    self.running.expression(value)
                case ast.AnnAssign(annotation=annotation, value=value):
                    self.running.expression(annotation)
                    if value is not None:
                        self.running.expression(value)
                case ast.Expr(value=ast.Call(func=function) as call) if root_of(function) == "_rt":
                    self.running.expression(call)
                case _ if not _is_docstring(statement):
                    self.fail(statement, f"`{_source(statement)}` must not run here")

    def _class(self, node: ast.ClassDef) -> None:
        for expression in (*node.decorator_list, *node.bases):
            self.running.expression(expression)
        if node.keywords:
            self.fail(node, f"the head of `{node.name}` is not as it is written")
        self.running.trusted.add(node.name)
        self._statements(node.body)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            modules = [(alias.name, alias) for alias in node.names]
        else:
            modules = [("." * node.level + (node.module or ""), alias) for alias in node.names]
        for module, alias in modules:
            is_own = module.startswith(".")
            is_support = module == "codegen" and alias.name == "runtime" and alias.asname == "_rt"
            is_trusted = module in _PYTHON or module.partition(".")[0] in _LIBRARIES
            if not (is_own or is_support or is_trusted or module in self.outside):
                self.fail(node, f"imports `{module}`, which no schema names")
            if module == "builtins" and alias.name not in READ | self.named:
                self.fail(node, f"imports `{alias.name}`, which no function uses")
            if module in _PYTHON:
                self.renamed[alias.asname or alias.name] = alias.name
            if is_trusted or is_support or (is_own and alias.name in self.classes):
                self.running.trusted.add(alias.asname or alias.name.partition(".")[0])

    # --- functions

    def _function(self, node: ast.FunctionDef) -> None:
        """Verify the code that runs when a function is defined, and the statements of its body."""
        arguments = node.args
        everything = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        expressions = (
            *node.decorator_list,
            *(one.annotation for one in everything),
            *arguments.defaults,
            *arguments.kw_defaults,
            node.returns,
        )
        for expression in expressions:
            if expression is not None:
                self.running.expression(expression)
        self._body(node.body, {one.arg for one in everything})

    def _body(self, body: list[ast.stmt], own: set[str]) -> None:
        """Verify the statements of a function, and the names that they read."""
        self._kinds(body, own)
        self.running.body(body, own.union(self.declared.defined_names))

    def _kinds(self, body: list[ast.stmt], own: set[str]) -> None:
        for statement in body:
            match statement:
                case ast.ImportFrom() | ast.Import():
                    self._import(statement)
                    own |= {alias.asname or alias.name for alias in statement.names}
                case ast.If():
                    self._kinds([*statement.body, *statement.orelse], own)
                # A call hides the frames of its errors, and `__eq__` looks for a key.
                case ast.Try(handlers=[handler], orelse=[], finalbody=[]):
                    self._kinds([*statement.body, *handler.body], own)
                case ast.Expr(value=ast.Call() | ast.Constant()) | ast.Return() | ast.Raise():
                    pass
                case ast.Assign() | ast.AnnAssign():
                    own |= {
                        one.id
                        for one in ast.walk(statement)
                        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                    }
                case _:
                    self.fail(statement, f"`{_source(statement)}` has no place in a function")


def _defined(body: list[ast.stmt]) -> list[str]:
    """Return the names that statements define; those of imports do not count."""
    found: list[str] = []
    for statement in body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            found.append(statement.name)
        elif isinstance(statement, _ASSIGNMENTS):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            found += [ast.unparse(target) for target in targets]
    return found


def _is_generated(name: str) -> bool:
    """Return whether the compiler gives a class this member without a declaration."""
    own = ("__new__", "__eq__", "__hash__", "__slots__")
    return name in (*MEMBERS, *own) or name.startswith(PREFIX)


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _source(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:60]
