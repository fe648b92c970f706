"""Parse what was rendered, before a byte of it is written.

read_back(Rendered("heat.py", "..."), module)
# AssertionError: heat.py, line 12: invalid syntax

Text of a schema reaches the output as an identifier, a type or a literal (`codegen/emit/`). Should
that ever fail, nothing is written that is no Python, or that declares other names than its schema.
What each statement may be is held by tests alone, since it takes as long as the rest of a build:
`tests/reading/`.
"""

from __future__ import annotations

import re
import symtable

from codegen.emit.rendered import Rendered
from codegen.program.nodes import Module
from codegen.schema.names import PREFIX

# Every character of the output is one of these, or part of an identifier.
_OTHER = re.compile(r"[^\n\x20-\x7e]")


def read_back(file: Rendered, module: Module | None = None) -> None:
    """Parse a file, and compare what it declares with the module that it was made from, if any.

    Raises:
        AssertionError: where it is not what it should be. It is a mistake in codegen, whatever the
            schema says.
    """
    for match in _OTHER.finditer(file.text):
        if not f"x{match[0]}".isidentifier():
            line = file.text.count("\n", 0, match.start()) + 1
            raise AssertionError(f"{file.path}, line {line}: holds {match[0]!a}")
    try:
        # It parses without making a tree for Python, which takes a third less.
        table = symtable.symtable(file.text, file.path, "exec")
    except SyntaxError as error:
        raise AssertionError(f"{file.path}, line {error.lineno}: {error.msg}") from error
    if module is not None:
        _compare(file.path, _bound(table), module)


def _bound(table: symtable.SymbolTable) -> set[str]:
    """Return the names that a module gives a meaning, but for those that it imports."""
    names = {*table.get_identifiers()}
    made = names & {one.get_name() for one in table.get_children()}
    # To look a name up takes a walk over all children, of which nearly each has a name of its own.
    return made | {name for name in names - made if table.lookup(name).is_assigned()}


def _compare(path: str, found: set[str], module: Module) -> None:
    declared = {*module.declared}
    # The classes of their objects while they are filled.
    builders = {f"_{one.ref.name}" for one in module.classes}
    # `error` is that of an import that fails.
    own = {name for name in found if name.startswith(PREFIX)} | builders | {"__all__", "error"}
    wrong = sorted((found - own - declared) | (declared - found))
    if wrong:
        raise AssertionError(f"{path}: declares {', '.join(wrong)} not as its schema does")
