r"""The part of a generated module that belongs to one declaration.

part("class Grid: ...\nclass Plate: ...\ndef _codegen_key_Plate(...): ...\n", "Plate")
# "class Plate: ...\n\n\ndef _codegen_key_Plate(...): ...\n"
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection


def parts(text: str, names: Collection[str]) -> str:
    """The statements of a module that make what these names stand for, as they stand there."""
    lines = text.splitlines(keepends=True)
    found = [
        "".join(lines[_first_line(statement) - 1 : statement.end_lineno])
        for statement in ast.parse(text).body
        if any(_belongs(statement, name) for name in names)
    ]
    return "\n\n".join(found)


def _belongs(statement: ast.stmt, name: str) -> bool:
    """Whether a statement defines or registers what is called so, or helps to."""
    match statement:
        case ast.ClassDef(name=defined) | ast.FunctionDef(name=defined):
            return _is_of(defined, name)
        case ast.AnnAssign(target=ast.Name(id=defined)):
            return _is_of(defined, name)
        case ast.Assign(targets=[ast.Name(id=defined)]):
            return _is_of(defined, name)
        case ast.Expr(value=ast.Call(args=[ast.Name(id=registered), *_])):
            return registered == name
        case _:
            return False


def _is_of(defined: str, name: str) -> bool:
    """Example: "_codegen_key_Plate" and "_codegen_Plate_scheme" are of "Plate"."""
    helper = rf"_codegen_(?:[a-z]+_{re.escape(name)}|{re.escape(name)}_\w+)"
    return defined == name or re.fullmatch(helper, defined) is not None


def _first_line(statement: ast.stmt) -> int:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef) and statement.decorator_list:
        return statement.decorator_list[0].lineno
    return statement.lineno
