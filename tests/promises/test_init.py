"""After `codegen init` every tool passes and changes nothing, in an empty folder and in existing projects."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.promises.project import CHECKOUT, Project, add_printed_settings, texts

_CODE = '''"""The project's own code."""


def double(x: int) -> int:
    """Twice as much."""
    return 2 * x
'''
# The output, with a copy of the run time, is in a package that imports it.
_MODEL = '''"""The project's own code."""

from .generated.rods import Rod


def cool(rod: Rod) -> Rod:
    """Halve the temperature."""
    return rod.replace(u=0.5 * rod.u)
'''
_SCHEMA = '''"""Rods."""

from codegen.schema import donated, f32, impl

class Rod:
    """A rod."""

    u: donated[f32]  # [K]

@impl("plates:cool")
def cool(rod: donated[Rod]) -> Rod:
    """Cool a rod."""
'''
_STRICT = """\
[project]
name = "plates"
version = "1"

[tool.mypy]
strict = true

[tool.pyright]
typeCheckingMode = "strict"

[tool.ruff]
line-length = 100

[tool.ruff.lint]
select = ["ALL"]
ignore = ["COM812", "CPY001", "D203", "D212", "D213"]

[tool.ruff.format]
quote-style = "double"
"""
PROJECTS: dict[str, dict[str, str]] = {
    "empty": {},
    "strict": {
        "pyproject.toml": _STRICT,
        "src/plates/__init__.py": _MODEL,
        "schemas/rods.pyi": _SCHEMA,
    },
    "files of their own": {
        "ruff.toml": 'line-length = 79\n\n[lint]\nselect = ["E", "F", "I", "PYI", "UP"]\n',
        "mypy.ini": "[mypy]\nstrict = True\n",
        "pyrightconfig.json": '{"typeCheckingMode": "strict"}\n',
        "pyproject.toml": (
            '[project]\nname = "plates"\nversion = "1"\n'
            '[tool.codegen]\nroot = "src/stubs"\nout = "src/made"\n'
        ),
        "src/plates/__init__.py": _CODE,
    },
}
TOOLS = (
    ["ruff", "check"],
    ["ruff", "check", "--fix"],
    ["ruff", "format"],
    # The options that `tests/generated/checkers.py` uses. With others, mypy would read JAX again.
    ["mypy", "--strict", "--python-version=3.11", "--follow-imports=silent", "."],
    ["pyright"],
)


@pytest.mark.parametrize("name", PROJECTS)
def test_every_tool_passes_and_changes_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "project"
    for path, text in PROJECTS[name].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    folder.mkdir(exist_ok=True)
    project = Project(folder)
    vendored = ["--vendored"] * (name == "strict")
    finished = project.call("init", *vendored)
    assert finished.returncode == 0
    for path, text in PROJECTS[name].items():
        own = '\n[tool.codegen]\nroot = "schemas"\nout = "src/plates/generated"\n'
        own += 'runtime = "vendored"\n'
        is_extended = path == "pyproject.toml" and "[tool.codegen]" not in text
        assert (folder / path).read_text() == (text + own if is_extended else text)
    add_printed_settings(folder, finished.stdout)
    project.build()
    before = texts(folder)
    # The environment of a user, without the checkout.
    users = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    users["RUFF_CACHE_DIR"] = str(tmp_path / "ruff")
    # Pyright reads JAX again in each project. `.ci/run` runs it on a strict project with settings
    # in pyproject.toml: this one.
    for tool in TOOLS if name == "files of their own" else TOOLS[:-1]:
        finished = subprocess.run(
            [sys.executable, "-m", *tool],
            cwd=folder,
            env=users,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, f"{tool}: {finished.stdout}{finished.stderr}"
        assert texts(folder) == before, tool
    assert project.build().startswith("up to date: ")
    assert project.call("check").returncode == 0
    assert project.call("init").returncode == 0
    assert texts(folder) == before


def test_git_attributes_mark_generated_files(tmp_path: Path) -> None:
    project = Project(tmp_path)
    assert project.call("init").returncode == 0
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for path in ("generated/example.py", "generated/plants/boiler.py"):
        finished = subprocess.run(
            ["git", "check-attr", "linguist-generated", "eol", "text", "--", path],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        values = [line.rpartition(": ")[2] for line in finished.stdout.splitlines()]
        assert values == ["true", "lf", "set"]


def test_the_hook_runs_under_pre_commit(tmp_path: Path) -> None:
    """It passes, and it rejects a commit with stale output, in a separate repository."""
    project = Project(tmp_path / "project")
    project.folder.mkdir()
    assert project.call("init").returncode == 0
    command = tmp_path / "bin" / "codegen"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codegen "$@"\n')
    command.chmod(0o755)
    environment = project.environment | {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        "PYTHONPATH": str(CHECKOUT),
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=project.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("git", "init", "-q").returncode == 0
    assert run("git", "add", "-A").returncode == 0
    hooks = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    passed = run(*hooks)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    schema = project.folder / "schemas/example.pyi"
    schema.write_text(schema.read_text().replace("0.01", "0.02"))
    stopped = run(*hooks)
    assert stopped.returncode == 1, stopped.stdout
    assert "stale: generated/example.py" in stopped.stdout
