"""Compare the statements of one generated module with its schema.

ModuleReader("heat.py", declared, outside, checked).module(tree)
# AssertionError: heat.py, line 12: `exec(...)` must not run here
"""

from __future__ import annotations

import ast
import re

from codegen.check.check import Checked
from codegen.program.nodes import Class, Enum, Module
from codegen.program.references import named_functions
from codegen.schema.names import MEMBERS, PREFIX
from tests.reading import forms
from tests.reading.expressions import READ, Running

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
# What a module calls when it is imported, besides the protocol.
_CALLS = (
    "_rt.register_dataclass",
    "_rt.check_members",
    "_rt.check_mixins",
    "_rt.install_init",
)


class ModuleReader:
    """Verifies one module."""

    def __init__(
        self, path: str, declared: Module, outside: frozenset[str], checked: Checked
    ) -> None:
        self.path = path
        self.declared = declared
        self.outside = outside
        self.checked = checked
        self.own_classes = {c.ref.name: c for c in declared.classes}
        # The names of all classes of the program.
        self.classes = frozenset(ref.name for ref in checked.program.classes)
        # The builtins that the schema names, such as `field(convert="builtins:round")`.
        paths = named_functions(declared)
        self.named = {path.attribute for path in paths if path.module == "builtins"}
        # Names of Python that have another name here, because the schema declares their own.
        self.renamed: dict[str, str] = {}
        self.running = Running(self.fail, set(self.classes), self.renamed)
        self.called: list[str] = []  # what the module calls: "_rt.register_dataclass(Grid)"

    def fail(self, node: ast.AST, what: str) -> None:
        """Fail with the place of the unexpected code."""
        raise AssertionError(f"{self.path}, line {getattr(node, 'lineno', 0)}: {what}")

    def module(self, tree: ast.Module) -> None:
        """Verify the statements of a module."""
        first, *rest = tree.body
        if not _is_docstring(first):
            self.fail(first, "the docstring is missing")
        found: list[str] = []
        for statement in rest:
            found += self._statement(statement)
        declared = sorted(self.declared.defined_names)
        found_functions = [
            one.name
            for one in rest
            if isinstance(one, ast.FunctionDef) and one.name.startswith(PREFIX)
        ]
        if sorted(found) != declared:
            wrong = sorted({*found} ^ {*declared}) or found
            self.fail(tree, f"declares {', '.join(wrong)} not as its schema does")
        for found, wanted in (
            (found_functions, forms.functions(self.declared)),
            (self.called, forms.calls(self.declared)),
        ):
            if sorted(found) != sorted(wanted):
                wrong = sorted({*found} ^ {*wanted}) or found
                self.fail(tree, f"has {', '.join(wrong)} not as its schema requires")

    def _statement(self, node: ast.stmt) -> list[str]:
        """Verify one statement; yield the public names that it defines."""
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            # `if TYPE_CHECKING:`, and `try:` with an explanation of a failed import.
            case ast.If(test=ast.Name(), orelse=[]) | ast.Try(orelse=[], finalbody=[]):
                for inner in node.body:
                    if isinstance(node, ast.Try) and isinstance(inner, ast.Expr):
                        self._only(inner.value, ast.Call)
                        self._statement(inner)
                        continue
                    self._only(inner, ast.Import, ast.ImportFrom)
                    self._import(inner)
                for handler in getattr(node, "handlers", ()):
                    self._body(handler.body, set())
            case ast.ClassDef() if node.name.startswith(PREFIX):
                self._function_type(node)
            case ast.ClassDef():
                return [self._class(node)]
            case ast.FunctionDef() if node.name.startswith(PREFIX):
                self._function(node)
                filled = self.own_classes.get(node.name.removeprefix(f"{PREFIX}unflatten_"))
                if filled is not None:
                    self._form(node, forms.unflatten(filled))
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                self._exported(node.value)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                self._assignment(node)
                return [] if name.startswith(PREFIX) else [name]
            case ast.Expr(value=ast.Call(func=function) as call) if ast.unparse(function) in (
                forms.PROTOCOL_CALL,
                *_CALLS,
            ):
                self._call(call)
            case _ if not _is_docstring(node):  # The type of a function comes after it.
                self.fail(node, f"`{_source(node)}` must not run here")
        return []

    def _only(self, node: ast.AST, *kinds: type[ast.AST]) -> None:
        if not isinstance(node, kinds):
            self.fail(node, f"`{_source(node)}` has no place there")

    def _import(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            modules = [(alias.name, alias) for alias in node.names]
        else:
            assert isinstance(node, ast.ImportFrom), "the callers have looked"
            modules = [("." * node.level + (node.module or ""), alias) for alias in node.names]
        for module, alias in modules:
            is_own = module.startswith(".")
            is_support = module == "codegen" and alias.name == "runtime" and alias.asname == "_rt"
            head = module.partition(".")[0]
            known = (
                is_own
                or is_support
                or module in _PYTHON
                or head in _LIBRARIES
                or module in self.outside
            )
            if not known:
                self.fail(node, f"imports `{module}`, which no schema names")
            if module == "builtins" and alias.name not in READ | self.named:
                self.fail(node, f"imports `{alias.name}`, which no function uses")
            if module in _PYTHON:
                self.renamed[alias.asname or alias.name] = alias.name
            is_trusted = module in _PYTHON or head in _LIBRARIES
            if is_trusted or is_support or (is_own and alias.name in self.classes):
                self.running.trusted.add(alias.asname or alias.name.partition(".")[0])

    def _exported(self, value: ast.expr) -> None:
        names = [
            item.value for item in getattr(value, "elts", []) if isinstance(item, ast.Constant)
        ]
        if names != sorted(n for n in self.declared.defined_names if not n.startswith("_")):
            self.fail(value, "`__all__` is not what the schema declares")

    def _assignment(self, node: ast.Assign | ast.AnnAssign) -> None:
        if isinstance(node, ast.AnnAssign):
            self.running.expression(node.annotation)
        if node.value is not None:
            self.running.expression(node.value)

    def _call(self, node: ast.Call) -> None:
        """Verify a call that an import of the module runs."""
        self.running.expression(node)
        name = ast.unparse(node.func)
        first = ast.unparse(node.args[0]) if node.args else ""
        given = {str(one.arg): one.value for one in node.keywords}
        if name == forms.PROTOCOL_CALL:
            self.called.append(f"{name}({first})")
            self._protocol_call(node, given)
        elif name == "_rt.register_dataclass":
            self.called.append(f"{name}({first})")
            for kind in ("flatten", "unflatten"):
                function = f"{PREFIX}{kind}_{first}"
                is_wanted = function in forms.functions(self.declared)
                if (ast.unparse(given[kind]) if kind in given else "") != function * is_wanted:
                    self.fail(node, f"`{first}` is not registered with `{function}`")

    def _protocol_call(self, node: ast.Call, given: dict[str, ast.expr]) -> None:
        """Verify the modules that the protocol call names: those of functions, and only others
        that the module imports.
        """
        needed = {path.module for path in named_functions(self.declared)}
        stated = {*ast.literal_eval(given.get("implementations", ast.List([])))}
        if not needed <= stated <= self.outside or {*given} - {"implementations", "imports", "was"}:
            self.fail(node, "the protocol is not called with what the schema names")

    # --- classes

    def _class(self, node: ast.ClassDef) -> str:
        for expression in (*node.decorator_list, *node.bases):
            self.running.expression(expression)
        if node.keywords or not _is_docstring(node.body[0]):
            self.fail(node, f"the head of `{node.name}` is not as it is written")
        enum = next((e for e in self.declared.enums if e.ref.name == node.name), None)
        wanted = next((c for c in self.declared.classes if c.ref.name == node.name), None)
        if enum is not None:
            self._enum(node, enum)
        elif wanted is not None:
            self._members(node, wanted)
        else:
            self.fail(node, f"the class `{node.name}` is in no schema")
        return node.name

    def _enum(self, node: ast.ClassDef, enum: Enum) -> None:
        found: list[str] = []
        for statement in node.body[1:]:
            if _is_docstring(statement):
                continue
            self._only(statement, ast.Assign)
            assert isinstance(statement, ast.Assign)
            found += [target.id for target in statement.targets if isinstance(target, ast.Name)]
            self.running.expression(statement.value)
        if found != [member.name for member in enum.members]:
            self.fail(node, f"the members of `{node.name}` are not those of its schema")

    def _members(self, node: ast.ClassDef, wanted: Class) -> None:
        fields: list[str] = []
        methods: list[str] = []
        slots: list[ast.expr] = []
        for statement in node.body[1:]:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name)):
                    self._assignment(statement)
                    fields.append(name)
                case ast.Assign(targets=[ast.Name(id="__slots__")]):
                    slots.append(statement.value)
                case ast.Expr(value=ast.Constant()):
                    pass  # metadata of a field
                case ast.FunctionDef():
                    self._function(statement)
                    methods.append(statement.name)
                case ast.ClassDef(name="Draft"):
                    self._draft(statement, {field.name for field in wanted.fields})
                case ast.If(test=ast.Name(), orelse=[]) if wanted.abstract:
                    self._protocol(statement.body, {field.name for field in wanted.own_fields})
                case _:
                    self.fail(statement, f"`{_source(statement)}` has no place in a class")
        own = [c.name for c in wanted.constants] + [f.name for f in wanted.own_fields]
        if fields != own:
            self.fail(node, f"the fields of `{node.name}` are not those of its schema")
        found = [self._slot_names(one) for one in slots]
        if found != [forms.slots(wanted, self.checked.program)]:
            self.fail(node, f"the slots of `{node.name}` are not its fields")
        # With `init=False`, `__new__` is that of the mixin.
        constructor = "__new__" if wanted.init else f"{PREFIX}create"
        compares = ["__eq__", "__hash__"] if wanted.eq else []
        first = [constructor, *compares]
        rest = [name for name in methods[len(first) :] if name not in MEMBERS]
        declared = [method.name for method in wanted.methods]
        is_twice = len({*methods}) < len(methods)
        if methods[: len(first)] != first or rest != declared or is_twice:
            self.fail(node, f"the methods of `{node.name}` are not those of its schema")
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name in compares:
                is_static = self.checked.facts.is_static(wanted.ref)
                self._form(statement, forms.comparison(statement.name, is_static=is_static))

    def _slot_names(self, value: ast.expr) -> list[str]:
        """Return what a class names as its slots."""
        self.running.expression(value)
        return [getattr(one, "value", "") for one in getattr(value, "elts", ())]

    def _form(self, node: ast.FunctionDef, form: str) -> None:
        """Verify a function that has one form."""
        if self._plain(node) != ast.unparse(ast.parse(form)):
            self.fail(node, f"`{node.name}` is not as it is written")

    def _plain(self, node: ast.AST) -> str:
        """Return code with Python's names for what has another name in this module."""
        return re.sub(r"\w+", lambda match: self.renamed.get(match[0], match[0]), ast.unparse(node))

    def _protocol(self, body: list[ast.stmt], fields: set[str]) -> None:
        """Verify the method of an abstract class that exists only for type checkers."""
        match body:
            case [ast.FunctionDef(name=name, body=[_, *assignments, ast.Return()]) as method] if (
                name.startswith(f"{PREFIX}is_")
            ):
                self._function(method)
                named = [ast.unparse(one) for one in assignments]
                if sorted(named) != sorted(f"self.{one} = self.{one}" for one in fields):
                    self.fail(method, f"`{name}` does not assign each field")
            case _:
                self.fail(body[0], f"`{_source(body[0])}` has no place in a class")

    def _draft(self, node: ast.ClassDef, fields: set[str]) -> None:
        """Verify the draft of a class: one line per field, and the type of its items."""
        for expression in (*node.decorator_list, *node.bases):
            self.running.expression(expression)
        self.running.trusted.add(node.name)
        for statement in node.body:
            match statement:
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ) if name in fields:
                    self._assignment(statement)
                case ast.If(test=ast.Name(), orelse=[]):  # `if TYPE_CHECKING:`
                    self._items(statement.body, fields)
                case ast.FunctionDef(name="freeze"):
                    self._function(statement)
                case ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    self.fail(statement, f"`{_source(statement)}` has no place in a draft")

    def _items(self, body: list[ast.stmt], fields: set[str]) -> None:
        """Verify the type of a draft's `at`, which exists only for type checkers."""
        for statement in body:
            match statement:
                case ast.ClassDef(name="At"):
                    self._draft(statement, fields)
                case ast.Assign(targets=[ast.Name(id="at")]):
                    self._assignment(statement)
                case _:
                    self.fail(statement, f"`{_source(statement)}` has no place in a draft")

    # --- functions

    def _function(self, node: ast.FunctionDef) -> None:
        """Verify the code that runs when a function is defined, and the statements of its body."""
        arguments = node.args
        everything = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        for expression in (
            *node.decorator_list,
            *(one.annotation for one in everything if one.annotation is not None),
            *arguments.defaults,
            *(default for default in arguments.kw_defaults if default is not None),
            *((node.returns,) if node.returns is not None else ()),
        ):
            self.running.expression(expression)
        self._body(node.body, {one.arg for one in everything})

    def _function_type(self, node: ast.ClassDef) -> None:
        """Verify the class of a generic function, which has signatures only for type checkers."""
        for expression in (*node.decorator_list, *node.bases):
            self.running.expression(expression)
        self.running.trusted.add(node.name)
        match node.body:
            case [ast.Expr(value=ast.Constant()), ast.If(test=ast.Name(), orelse=[]) as only]:
                for statement in only.body:
                    self._only(statement, ast.FunctionDef)
                    assert isinstance(statement, ast.FunctionDef)
                    self._function(statement)
            case _:
                self.fail(node, f"`{node.name}` is not the type of a function")

    def _body(self, body: list[ast.stmt], own: set[str]) -> None:
        """Verify the statements of a function, and the names that they read."""
        self._statements(body, own)
        self.running.body(body, own.union(self.declared.defined_names))

    def _statements(self, body: list[ast.stmt], own: set[str]) -> None:
        for statement in body:
            match statement:
                case ast.ImportFrom() | ast.Import():
                    self._import(statement)
                    own |= {alias.asname or alias.name for alias in statement.names}
                case ast.If():
                    self._statements([*statement.body, *statement.orelse], own)
                # A call hides the frames of its errors, and `__eq__` looks for a key.
                case ast.Try(handlers=[handler], orelse=[], finalbody=[]):
                    self._statements([*statement.body, *handler.body], own)
                case ast.Expr(value=ast.Call()):
                    pass
                case ast.Expr(value=ast.Constant()) | ast.Return() | ast.Raise(cause=None):
                    pass
                case ast.Assign() | ast.AnnAssign():
                    own |= {
                        one.id
                        for one in ast.walk(statement)
                        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                    }
                case _:
                    self.fail(statement, f"`{_source(statement)}` has no place in a function")


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _source(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:60]
