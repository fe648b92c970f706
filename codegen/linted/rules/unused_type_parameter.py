"""A type parameter that no class takes.

T = TypeVar("T")    ->    UNUSED_TYPE_PARAMETER: the type parameter `T` is declared but never used
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.linted.removal import removal


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each type parameter that nothing uses."""
    for name, module in linting.modules.items():
        for typevar in module.decl.typevars:
            if linting.use_count(name, typevar.name):
                continue
            yield linting.warn(
                Code.UNUSED_TYPE_PARAMETER,
                module.source,
                typevar.span,
                f"the type parameter `{typevar.name}` is declared but never used",
                label="no class takes it",
                advice=f"leave it out, or let a class take it: `class Box(Generic[{typevar.name}])`",
                # An import elsewhere goes first.
                fix=None
                if (name, typevar.name) in linting.imported
                else removal(module, typevar.name, "type parameter"),
            )
