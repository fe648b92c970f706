"""What mypy knows about the objects, calls and imports of Python files.

types = PythonTypes(mypy.build.build(...))
types.belongs(<plate>, {"generated.heat.Plate"})    # True; False for another class, None if unknown
types.resolve("app.Plate")                          # "generated.heat.Plate", through a re-export
types.resolve("missing.Plate")                      # None
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TypeAlias

from mypy import nodes, types
from mypy.build import BuildResult
from mypy.server.subexpr import get_subexpressions

Place: TypeAlias = "tuple[int, int, int | None, int | None]"


def place_of(node: ast.expr) -> Place:
    """Return the line and column of the start and the end, which `ast` and mypy share."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


class PythonTypes:
    """The result of a run of mypy; `own` has the modules that the user wrote."""

    def __init__(self, result: BuildResult, own: Collection[str]) -> None:
        self.files = result.files
        self._types = result.types
        self._own = own

    def expressions(self, module: str) -> dict[Place, nodes.Expression]:
        """Return the attributes and calls of a module. No two have one place.

        mypy reads `dict(a=1)` as the display `{"a": 1}`.
        """
        found = get_subexpressions(self.files[module]) if module in self.files else ()
        return {
            (one.line, one.column, one.end_line, one.end_column): one
            for one in found
            if isinstance(one, nodes.MemberExpr | nodes.CallExpr | nodes.DictExpr)
        }

    def classes(self, module: str) -> Iterator[nodes.TypeInfo]:
        """Return the classes of a module, except those in functions."""
        tree = self.files.get(module)
        return _classes(tree.names if tree is not None else nodes.SymbolTable(), module)

    def is_own(self, function: nodes.SymbolNode | None) -> bool:
        """Return whether the user wrote a function."""
        if isinstance(function, nodes.Decorator):
            function = function.func
        if function is None:
            return False
        info = function.info if isinstance(function, nodes.FuncDef) else None
        module = info.module_name if info else function.fullname.rpartition(".")[0]
        return not module or module in self._own  # A function in a function has no module.

    def type_of(self, expression: nodes.Expression | None) -> types.ProperType | None:
        """Return the type of an expression; None if it is not known."""
        found = self._types.get(expression) if expression is not None else None
        proper = types.get_proper_type(found)
        return None if isinstance(proper, types.AnyType | types.UninhabitedType) else proper

    def belongs(self, expression: nodes.Expression | None, owners: Collection[str]) -> bool | None:
        """Return whether an object or a class is one of these classes, or derives from one.

        None means that it is not known, or differs between the members of a union.
        """
        if isinstance(expression, nodes.RefExpr) and isinstance(expression.node, nodes.MypyFile):
            return False
        return _belongs(self.type_of(expression), owners)

    def resolve(self, name: str, module: str = "") -> str | None:
        """Return the full name of a declaration, or None if mypy has not read it.

        Dots at the start are relative to `module`.
        """
        if dots := len(name) - len(name.lstrip(".")):
            own = self.files.get(module)
            is_package = own is not None and own.is_package_init_file()
            parts = module.split(".")
            name = ".".join([*parts[: len(parts) + is_package - dots], name[dots:]])
        parts = name.split(".")
        for count in range(len(parts) - 1, 0, -1):
            tree = self.files.get(".".join(parts[:count]))
            symbol = tree.names.get(parts[count]) if tree is not None else None
            if symbol is not None and symbol.node is not None:
                return ".".join([symbol.node.fullname, *parts[count + 1 :]])
        return None


def is_below(info: nodes.TypeInfo, owners: Collection[str]) -> bool:
    """Return whether a class is one of these classes, or derives from one."""
    return any(base.fullname in owners for base in info.mro)


def _belongs(found: types.Type | None, owners: Collection[str]) -> bool | None:
    match types.get_proper_type(found):
        case types.UnionType(items=items):
            parts = (one for one in items if not isinstance(one, types.NoneType))
            answers = {_belongs(one, owners) for one in parts}
            return answers.pop() if len(answers) == 1 else None
        case types.TypeVarType(upper_bound=inner) | types.TypeType(item=inner):
            return _belongs(inner, owners)
        case types.LiteralType(fallback=inner):
            return _belongs(inner, owners)
        case types.Instance(type=info):
            return is_below(info, owners) or (None if info.fallback_to_any else False)
        case types.FunctionLike() as function if function.is_type_obj():
            return is_below(function.type_object(), owners)
        case None | types.AnyType() | types.UninhabitedType():
            return None
        case _:
            return False


def _classes(names: nodes.SymbolTable, module: str) -> Iterator[nodes.TypeInfo]:
    for symbol in names.values():
        info = symbol.node
        if isinstance(info, nodes.TypeInfo) and info.module_name == module:
            yield info
            yield from _classes(info.names, module)
