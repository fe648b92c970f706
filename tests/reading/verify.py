"""Parse the rendered output, and check every statement against the program.

verified(files, Options("schemas", "generated"))     # `pipeline.compile`, and the output is verified
Verifier(program).verify(Rendered("heat.py", "..."))
# AssertionError: heat.py, line 12: `exec(...)` must not run here

Text of a schema appears in the output as an identifier, a type or a literal (`codegen/emit/`). A module contains only
the statements of its schema's declarations and those of the compiler. It imports nothing else, and runs nothing else
when it is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codegen import pipeline
from codegen.emit.render import read_back
from codegen.emit.rendered import Rendered
from codegen.options import Options
from codegen.program.nodes import Class, Enum, FactoryCall, FunctionPath, Module, Program
from codegen.schema.names import MEMBERS, PREFIX
from tests.reading.expressions import Running, root_of

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
# Class attributes before the fields.
_CLASS_ATTRIBUTES = ("__slots__", "__eq__", "__hash__")


def verified(files: Sequence[pipeline.File], options: Options) -> pipeline.CompileResult:
    """Compile schemas, and verify the output.

    Raises:
        AssertionError: the output contains something that they do not declare.
    """
    stages = pipeline.run(files, options)
    if stages.checked is not None:
        verifier = Verifier(stages.checked.program)
        for file in stages.rendered:
            verifier.verify(file)
    return pipeline.CompileResult(stages.report, stages.rendered)


class Verifier:
    """Compares generated modules with their program."""

    def __init__(self, program: Program) -> None:
        self._modules = {f"{m.name.replace('.', '/')}.py": m for m in program.modules}
        self._outside = _outside(program)
        self._classes = frozenset(ref.name for ref in program.classes)

    def verify(self, file: Rendered) -> None:
        """Verify a file.

        Raises:
            AssertionError: the file contains something that the program does not declare.
        """
        if not file.path.endswith(".py"):
            return
        read_back(file)
        tree = ast.parse(file.text)
        module = self._modules.get(file.path)
        if module is None:
            _require_package(file, tree)
        else:
            _Reader(file.path, module, self._outside, self._classes).module(tree)


def _outside(program: Program) -> frozenset[str]:
    """Return the foreign Python modules that generated code may import."""
    functions = [f for m in program.modules for f in m.functions]
    functions += [f for node in program.classes.values() for f in node.methods]
    fields = [f for node in program.classes.values() for f in node.fields]
    paths = [path for f in fields for path in (f.convert, f.default, f.init)]
    return frozenset(
        (
            *(i.module for m in program.modules for i in m.imports),
            *(function.impl.module for function in functions),
            *(path.module for path in paths if isinstance(path, FunctionPath | FactoryCall)),
        )
    )


def _require_package(file: Rendered, tree: ast.Module) -> None:
    name = file.path.rpartition("/")[2]
    is_doc = [
        isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in tree.body
    ]
    if name != "__init__.py" or is_doc != [True]:
        raise AssertionError(f"{file.path}: is neither a schema's module nor a package's docstring")


class _Reader:
    """Verifies one module."""

    def __init__(
        self, path: str, declared: Module, outside: frozenset[str], classes: frozenset[str]
    ) -> None:
        self.path = path
        self.declared = declared
        self.outside = outside
        self.classes = classes  # the names of all classes of the program
        # The builder classes.
        self.twins = {prefix + c.ref.name for c in declared.classes for prefix in ("_", PREFIX)}
        self.twins -= set(declared.defined_names)
        self.running = Running(self.fail, set(classes))

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
        if sorted(found) != declared:
            wrong = sorted({*found} ^ {*declared}) or found
            self.fail(tree, f"declares {', '.join(wrong)} not as its schema does")

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
            case ast.ClassDef() if node.name in self.twins:
                self._twin(node)
            case ast.ClassDef() if node.name.startswith(PREFIX):
                self._function_type(node)
            case ast.ClassDef():
                return [self._class(node)]
            case ast.FunctionDef() if node.name.startswith(PREFIX):
                self._function(node)
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                self._exported(node.value)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                self._assignment(node)
                return [] if name.startswith(PREFIX) else [name]
            case ast.Expr(value=ast.Call(func=function) as call) if (
                root_of(function) in self.running.trusted
            ):
                self.running.expression(call)
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

    def _twin(self, node: ast.ClassDef) -> None:
        """Verify a builder class: it has only slots."""
        for expression in node.bases:
            self.running.expression(expression)
        if node.keywords or node.decorator_list:
            self.fail(node, f"the head of `{node.name}` is not as it is written")
        self.running.trusted.add(node.name)
        match node.body:
            case [ast.Expr(value=ast.Constant()), ast.Assign(targets=[ast.Name(id="__slots__")])]:
                self._assignment(node.body[1])  # type: ignore[arg-type]
            case _:
                self.fail(node, f"`{node.name}` holds more than slots")

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
        for statement in node.body[1:]:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name)):
                    self._assignment(statement)
                    fields.append(name)
                case ast.Assign(targets=[ast.Name(id=name)]) if name in _CLASS_ATTRIBUTES:
                    self._assignment(statement)
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
        if [name for name in fields if name != "__codegen_key__"] != own:
            self.fail(node, f"the fields of `{node.name}` are not those of its schema")
        # With `init=False`, `__new__` is that of the mixin.
        known = {*MEMBERS, "__new__" if wanted.init else f"{PREFIX}create"}
        declared = [method.name for method in wanted.methods]
        if [name for name in methods if name not in known] != declared:
            self.fail(node, f"the methods of `{node.name}` are not those of its schema")

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
        for statement in body:
            match statement:
                case ast.ImportFrom() | ast.Import():
                    self._import(statement)
                case ast.If():
                    self._body([*statement.body, *statement.orelse], own)
                # A call hides the frames of its errors.
                case ast.Try(handlers=[handler], orelse=[], finalbody=[]):
                    self._body([*statement.body, *handler.body], own)
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="__setattr__"))):
                    pass  # a constructor sets the fields of its object
                case ast.Expr(value=ast.Call(func=function)):
                    root = root_of(function)
                    if root not in own and self.running.is_builtin(root):
                        self.fail(statement, f"`{root}` is called")
                case ast.Expr(value=ast.Constant()) | ast.Return() | ast.Raise(exc=None):
                    pass
                case ast.Assign():
                    own |= {one.id for one in statement.targets if isinstance(one, ast.Name)}
                case ast.AnnAssign(target=ast.Name(id=name)):
                    own.add(name)
                case ast.AugAssign(target=ast.Name(id=name)) if name in own:
                    pass
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
