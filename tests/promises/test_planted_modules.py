"""Folders that contain files with the names of Python modules. No command may import them.

`codegen observe`, and `codegen adopt` without `--no-import`, run the user's code: they are not tested here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.promises.project import Project, new

# Modules of Python, of the dependencies, and those that Python or a tool looks for.
MODULES = (
    *(name for name in sys.stdlib_module_names if name != "__main__"),
    *("filelock", "jinja2", "markupsafe", "msgspec", "rich", "shtab", "watchfiles", "libcst"),
    *("jax", "jaxlib", "jaxtyping", "numpy", "pip", "git", "mypy", "ruff", "IPython"),
    *("codegen", "sitecustomize", "usercustomize", "conftest", "setup", "heat", "generated"),
)
# Commands and their exit status.
COMMANDS = {
    "--version": 0,
    "build": 0,
    "check --output-format json": 0,
    "lint --fix": 0,
    "breaking --against HEAD": 0,
    "breaking --against schemas": 0,
    "show --stage checked": 0,
    "explain SYNTAX": 0,
    "init": 0,
    "init new": 0,
    "completion bash": 0,
    "adopt classes --no-import --dry-run": 0,
    "biuld": 2,
    "build no-such-folder": 2,
}


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file to which each imported module of the project writes its name."""
    return tmp_path / "marker"


@pytest.fixture
def project(tmp_path: Path, marker: Path) -> Project:
    """A repository with planted modules beside its schemas and classes."""
    project = new(tmp_path / "project")
    folder = project.folder
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m a"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    classes = folder / "classes"
    classes.mkdir()
    for place in (folder, folder / "schemas", classes):
        for name in MODULES:
            (place / f"{name}.py").write_text(f"open({str(marker)!r}, 'a').write('{name} ')\n")
        (place / "planted.pth").write_text("import heat\n")
    (classes / "state.py").write_text(
        "import heat\nfrom typing import NamedTuple\nclass State(NamedTuple):\n    n: int = heat.N\n"
    )
    (folder / "mypy.ini").write_text("[mypy]\nplugins = heat.py\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p heat\n")
    return project


@pytest.fixture
def script(tmp_path: Path) -> str:
    """The command as it is installed. Python adds the folder of the script to `sys.path`."""
    path = tmp_path / "bin" / "codegen"
    path.parent.mkdir()
    path.write_text("from codegen.cli.main import run\n\nrun()\n")
    return str(path)


def _run(project: Project, *words: str) -> int:
    return subprocess.run(
        [sys.executable, *words],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        check=False,
    ).returncode


def test_commands_import_no_module_of_the_project(
    project: Project, marker: Path, script: str
) -> None:
    for words, status in COMMANDS.items():
        assert _run(project, script, *words.split()) == status, words
        assert not marker.exists(), (words, marker.read_text())


def test_option_of_python_is_needed_with_a_module(project: Project, marker: Path) -> None:
    """With `-m`, Python imports modules of the current folder before it starts the command."""
    assert _run(project, "-P", "-m", "codegen", "build") == 0
    assert not marker.exists()
    _run(project, "-m", "codegen", "build")
    assert marker.exists()
