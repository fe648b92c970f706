"""An alias that no schema uses.

Field = f32[nx]    ->    UNUSED_ALIAS: the alias `Field` is declared but never used

It has no fix: the generated module declares the alias too, and programs may import it from there.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each alias that is used neither in its module nor in one that imports it."""
    for name, module in linting.modules.items():
        for alias in module.decl.aliases:
            if linting.use_count(name, alias.name):
                continue
            yield linting.warn(
                Code.UNUSED_ALIAS,
                module.source,
                alias.span,
                f"the alias `{alias.name}` is declared but no schema uses it",
                label="stands for a type that is written out elsewhere, or nowhere",
                advice="leave it out, unless a program imports it from the generated module",
            )
