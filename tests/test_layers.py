"""The stages and what each may import; how long a function and a file may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "codegen"
# Each may import those before it, and what stands in no stage at all.
STAGES = (
    "source",
    "diagnostics",
    "syntax",
    "schema",
    "program",
    "checked",
    "linted",
    "site",
    "view",
    "compared",
    "rendered",
    "plan",
    "files",
    "stages",
    "printers",
    "pipeline",
    "fixing",
    "cli",
)
# Values and functions that know no stage.
ANYWHERE = (
    "__version__",
    "checksum",
    "dump",
    "folders",
    "installation",
    "limits",
    "node",
    "options",
    "parallel",
    "progress",
    "wanted",
)
# Copied beside what is generated, where none of the rest is.
COPIED = ("_laws", "runtime")
FUNCTION_LINES_MAX = 60
FILE_LINES_MAX = 400

FILES = sorted(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _stage(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imported(path: Path) -> Iterator[str]:
    """The parts of this package that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "codegen" and rest:
                yield rest.partition(".")[0]


def test_every_file_is_in_a_stage() -> None:
    known = {*STAGES, *ANYWHERE, *COPIED, "__init__", "__main__"}
    assert {_stage(path) for path in FILES} <= known


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_stage_imports_those_before_it(path: Path) -> None:
    imported = set(_imported(path))
    stage = _stage(path)
    if stage in COPIED:
        assert imported <= {stage}
    elif stage in ANYWHERE:
        assert imported <= {*ANYWHERE}
    elif stage in STAGES:
        assert imported <= {*STAGES[: STAGES.index(stage) + 1], *ANYWHERE}


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_can_be_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= FILE_LINES_MAX
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= FUNCTION_LINES_MAX, node.name


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
