"""Find what a module imports at run time, and where it can import its generated classes.

    class _PlateMethods: ...           names that the generated module imports must come first
    def _plate_u_default(): ...
    from heat._generated.plate import Plate
    DEFAULT = Plate(...)               import-time uses of a generated class must come last

find_import_place(tree, {"Plate": <ClassDef>}, {"_PlateMethods": "Plate"})
->    ImportPlace(after=..., quoted="")

A generated module imports the modules of the classes that it refers to, and mixins from the
sources. So a schema may refer to a class only if the source also imports its module, and if that
module does not import the source.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache

from msgspec import Struct

from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.find.package import (
    SourceModule,
    absolute_module,
    is_type_checking,
    iter_import_statements,
)
from codegen.program.graph import reachable

_LAZY = ("TypeAlias", "TypeVar", "TypeVarTuple", "ParamSpec")
"""Python evaluates `type A = ...`, and the bounds of type parameters, only when code reads them.

`ast` has these nodes since Python 3.12."""


class Imports:
    """The imports of a package's modules, without those under `TYPE_CHECKING`."""

    def __init__(self, found: FoundClasses) -> None:
        self._imported = cache(lambda name: [*_imported_modules(found.modules[name], found)])
        self._reachable = cache(lambda name: reachable(self._imported(name), self._imported))

    def may_refer(self, module: str, other: str) -> bool:
        """Return whether the schema of a module may refer to a class of another module."""
        if module == other:
            return True
        return other in self._reachable(module) and module not in self._reachable(other)


def _imported_modules(module: SourceModule, found: FoundClasses) -> Iterator[str]:
    for statement in iter_import_statements(module.tree.body, for_types=False):
        if isinstance(statement, ast.Import):
            yield from (one.name for one in statement.names if one.name in found.modules)
        elif isinstance(statement, ast.ImportFrom):
            source = absolute_module(statement, module)
            inner = [f"{source}.{one.name}" for one in statement.names]
            yield from (one for one in (*inner, source) if one in found.modules)


FUNCTIONS = "functions"
ALL = "all"


class ImportPlace(Struct, frozen=True):
    """The position of the import, or what prevents it."""

    after: int = -1
    """The statement of the module that it follows; -1: it replaces the first class."""
    quoted: str = ""
    """Which annotations above the import must be strings: none, those of functions, or all."""
    late: tuple[str, ...] = ()
    """Classes that would have to be imported before what they need is there, or that are needed before."""
    use: int = 0
    """The line that is in the way."""


def find_import_place(
    tree: ast.Module,
    classes: Mapping[str, ast.ClassDef],
    needed: Collection[str],
    removed: Collection[int] = (),
    *,
    reads_types: bool = False,
) -> ImportPlace:
    """Find the position for a module. `classes` and the lines `removed` are removed from it.

    `needed` contains the names of classes that leave a mixin, and the names that the schema imports
    from the module. If `reads_types`, a class that stays reads the annotations of its fields.
    """
    binding = [index for index, one in enumerate(tree.body) if bound_names(one) & {*needed}]
    after = max(binding, default=-1)
    has_future = "annotations" in {
        alias.name
        for one in tree.body
        if isinstance(one, ast.ImportFrom) and one.module == "__future__"
        for alias in one.names
    }
    uses: dict[int, set[str]] = {}
    quotable = FUNCTIONS if reads_types else ALL
    for quoted in (ALL,) if has_future else ("", quotable):
        uses = {
            index: read
            for index, one in enumerate(tree.body[: after + 1])
            if one.lineno not in removed
            and (read := _names_read_on_import_by(one, classes, quoted) & classes.keys())
        }
        if not uses:
            return ImportPlace(after, "" if has_future else quoted)
    first = min(uses)
    late = tuple(
        name
        for index, one in enumerate(tree.body)
        for name in bound_names(one) & {*needed} & classes.keys()
        if index >= first
    )
    early = set[str]().union(*uses.values())
    fewest = min((late or tuple(classes), tuple(sorted(early))), key=len)
    return ImportPlace(after, late=fewest, use=tree.body[first].lineno)


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return {name}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        case ast.Assign(targets=targets):
            return {one.id for one in targets if isinstance(one, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case _:
            return set()


def is_code(statement: ast.stmt) -> bool:
    """Return whether an import below this statement is not at the top of its file."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.If() | ast.Try():
            return False
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(targets=[ast.Name(id=name)]):
            return not (name.startswith("__") and name.endswith("__"))
        case _:
            return True


def _names_read_on_import_by(
    statement: ast.stmt, classes: Mapping[str, ast.ClassDef], strings: str
) -> set[str]:
    """Return the names that a statement reads when the module is imported.

    `strings` states which annotations are strings: none, those of functions, or all.
    """
    if isinstance(statement, ast.ClassDef) and classes.get(statement.name) is statement:
        # The arguments of bases remain, and the statements that are not fields.
        body: list[ast.AST] = [
            *(one.slice for one in statement.bases if isinstance(one, ast.Subscript)),
            *(one for one in statement.body if not isinstance(one, ast.AnnAssign)),
        ]
        return {name for one in body for name in _names_read_on_import(one, strings)}
    return set(_names_read_on_import(statement, strings))


def _names_read_on_import(node: ast.AST, strings: str) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments):
            parts: list[ast.AST] = [*node.decorator_list, *_default_values(arguments)]
            if not strings:
                parts += [one.annotation for one in _parameters(arguments) if one.annotation]
                parts += [node.returns] if node.returns else []
            for part in parts:
                yield from _names_read_on_import(part, strings)
        case ast.Lambda(args=arguments):
            for part in _default_values(arguments):
                yield from _names_read_on_import(part, strings)
        case ast.AnnAssign(annotation=annotation, value=value):
            for part in ([] if strings == ALL else [annotation]) + ([value] if value else []):
                yield from _names_read_on_import(part, strings)
        case ast.If(test=test) if is_type_checking(test):
            for part in node.orelse:
                yield from _names_read_on_import(part, strings)
        case _ if type(node).__name__ in _LAZY:
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _names_read_on_import(child, strings)


def _default_values(arguments: ast.arguments) -> list[ast.expr]:
    return [one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None]


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    both = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *both]
