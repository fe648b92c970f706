"""The order of the stages and their allowed imports, and the maximum length of functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "codegen"
# Each stage may import those above it, and modules outside of all stages.
STAGES = (
    "source",
    "diagnostics",
    "schema",
    "program",
    "check",
    "lint",
    "emit",
    "diff",
    "output",
    "pipeline",
    "adopt",
    "cli",
    "hook",
    "notebook",
    "testing",
)
# Modules that depend on no stage. "" is the package itself, with its version.
ANYWHERE = (
    "",
    "installation",
    "node",
    "options",
    "progress",
)
# The run time works without the rest, and `runtime = "vendored"` copies it. Other stages may import
# these of its modules, which do not import JAX: its `__init__`, and the rules for changes of saved
# states.
FOR_ALL = ("codegen.runtime", "codegen.runtime.evolution", "codegen.runtime.renames")
# Property tests draw sizes by the run time's arithmetic of dimensions.
FOR_TESTING = ("codegen.runtime.shapes.dimensions",)
COPIED = ("runtime",)
FUNCTION_LINES_MAX = 60

FILES = [path.relative_to(PACKAGE.parent).as_posix() for path in sorted(PACKAGE.rglob("*.py"))]


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse((PACKAGE.parent / path).read_text(encoding="utf-8"))


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES = {_module(path): path for path in FILES}


def _imported(path: str) -> Iterator[str]:
    """Return the modules of this package that a file imports, also inside functions, without imported names."""
    package = _module(path) if path.endswith("/__init__.py") else _module(path).rpartition(".")[0]
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join(
                [*(above if node.level else []), *([node.module] if node.module else [])]
            )
            for alias in node.names:
                name = f"{start}.{alias.name}"
                if name in MODULES or start in MODULES:
                    yield name if name in MODULES else start


@cache
def _imports() -> dict[str, set[str]]:
    """Return the imports of each module. Each process reads them once."""
    return {module: {*_imported(path)} - {module} for module, path in MODULES.items()}


def _stage(module: str) -> str:
    """Return the stage: "output" for "codegen.output.plan"; "" for `codegen` itself, with its version."""
    return f"{module}.".split(".")[1]


def _allowed(stage: str) -> set[str]:
    if stage in COPIED:
        return {stage}
    if stage in ANYWHERE:
        return {*ANYWHERE}
    return {*STAGES[: STAGES.index(stage) + 1], *ANYWHERE} if stage in STAGES else {*STAGES}


def test_every_file_belongs_to_a_stage() -> None:
    known = {*STAGES, *ANYWHERE, *COPIED, "__main__"}
    assert {_stage(module) for module in MODULES} <= known


def test_stage_imports_only_earlier_stages() -> None:
    wrong = {
        f"{MODULES[module]} imports {one}"
        for module, imported in _imports().items()
        for one in imported
        if one not in (*FOR_ALL, *(FOR_TESTING if _stage(module) == "testing" else ()))
        and _stage(one) not in _allowed(_stage(module))
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_modules_have_no_import_cycle() -> None:
    """Imports inside functions count, because they are dependencies too.

    The run time imports heavy modules inside functions. `tests/runtime/test_imports.py` checks it.
    """
    graph = {
        module: imported for module, imported in _imports().items() if _stage(module) not in COPIED
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_functions_are_short() -> None:
    wrong = []
    for path in FILES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > FUNCTION_LINES_MAX:
                    wrong.append(f"{path}: {node.name} has {length} lines")
    assert not wrong, "\n".join(wrong)


def test_every_file_has_a_docstring() -> None:
    silent = [path for path in FILES if not ast.get_docstring(_tree(path))]
    assert not silent, "\n".join(silent)
