"""A schema that is imported without the leading dot, as if it were a Python module.

from materials import Material    ->    ABSOLUTE_IMPORT: `materials` is a schema: `from .materials import ...`
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.names import absolute_module
from codegen.schema.nodes import ImportDecl, declarations


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each absolute import of what a schema declares."""
    for name, module in linting.modules.items():
        for one in module.decl.imports:
            found = "" if one.level else _meant(linting, name, one)
            if found:
                yield linting.warn(
                    Code.ABSOLUTE_IMPORT,
                    module.source,
                    one.span,
                    f"`{one.module}` is imported from Python, and the schemas have a module of that "
                    "name",
                    label="no class of the schema, but a type from outside",
                    advice=f"write `from {found} import {one.attribute or '...'}`",
                )


def _meant(linting: Linting, importer: str, one: ImportDecl) -> str:
    """The relative name of the schema that was probably meant; empty where there is none."""
    for dots in range(1, importer.count(".") + 2):
        home = linting.modules.get(absolute_module(importer, dots, one.module) or "")
        if home is not None and home.decl.name != importer:
            names = [declared.name for declared in declarations(home.decl)]
            if one.attribute in ("", *names):
                return f"{'.' * dots}{one.module}"
    return ""
