"""Run the rules that were chosen.

lint(checked, trees, decls, DEFAULT, python)    ->    Report(...)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from codegen.checked.nodes import Checked
from codegen.diagnostics import Code, Report
from codegen.linted.ignores import silence
from codegen.linted.linting import Linting, Python, Written
from codegen.linted.rules import LINTS, RULES
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Stub


def lint(
    checked: Checked,
    trees: Sequence[Stub],
    decls: Sequence[ModuleDecl],
    chosen: Collection[Code],
    python: Python,
) -> Report:
    """What the chosen rules find in a program, without what is silenced where it stands."""
    written = {decl.name: Written(tree, decl) for tree, decl in zip(trees, decls, strict=True)}
    linting = Linting(checked, written, python)
    found = [one for code, rule in RULES.items() if code in chosen for one in rule(linting)]
    return silence(linting, found, chosen, LINTS)
