"""Nesting beyond the limits of Python around the schemas: folders, links, values of settings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen.output.manifest import FIRST_LINE, NAME
from tests.promises.project import Project, new

DEPTH = 1100
NESTED = "[" * 5000 + "]" * 5000
SETTINGS = (
    f"out = {'[' * 200}{']' * 200}",
    f"out = {NESTED}",
    f"other = {NESTED}",
    f"out{'.a' * 5000} = 1",
    f"other{'.a' * 5000} = 1",
    f"select = [{'{a=' * 200}1{'}' * 200}]",
    f"[tool.codegen.out{'.a' * 5000}]",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new(tmp_path / "project")


@pytest.fixture
def deep(project: Project) -> Iterator[list[str]]:
    """Create nested folders below these, and remove them after the test."""
    wanted: list[str] = []
    yield wanted
    for start in wanted:
        for depth in range(DEPTH, 0, -1):
            os.rmdir(project.folder / start / "/".join(["a"] * depth))


def _nest(folder: Path) -> None:
    for depth in range(DEPTH):
        os.mkdir(f"{folder}{'/a' * (depth + 1)}")


def _answered(project: Project, *words: str, status: int) -> str:
    """Run the command; return its one-line output, which must not report an internal error."""
    finished = project.call(*words)
    assert finished.returncode == status, (words, finished.stderr[-500:])
    assert "bug in codegen" not in finished.stderr
    assert "Recursion" not in finished.stderr
    return finished.stderr


def test_deep_schema_folders_are_an_error(project: Project, deep: list[str]) -> None:
    deep.append("schemas")
    _nest(project.folder / "schemas")
    for words in (("build",), ("check",), ("lint",), ("show", "--stage", "syntax")):
        said = _answered(project, *words, status=2)
        assert said.endswith(": is more than 100 folders deep in the schema folder\n"), said
        assert said.count("\n") == 1, said
    _answered(project, "init", status=0)
    _answered(project, "breaking", "--against", "schemas", status=2)


def test_deep_output_folders_are_an_error(project: Project, deep: list[str]) -> None:
    project.build()
    deep.append("generated")
    _nest(project.out)
    (project.folder / "schemas/steel.pyi").unlink()
    for words in (("check",), ("build",), ("build", "--force")):
        _answered(project, *words, status=int(words == ("check",)))


def test_long_paths_in_manifests_are_handled(project: Project) -> None:
    project.out.mkdir()
    lines = [f"{'0' * 32}  {path}\n" for path in ("a/" * 100_000 + "x.py", "a" * 100_000 + ".py")]
    (project.out / NAME).write_text(FIRST_LINE + "\n" + "".join(lines))
    _answered(project, "check", status=1)
    _answered(project, "build", status=0)


def test_deep_output_path_is_an_error(project: Project) -> None:
    for length, status in ((1100, 0), (3000, 2), (90_000, 2)):
        (project.folder / "pyproject.toml").write_text(
            f"[tool.codegen]\nout = '{'a/' * length}b'\n"
        )
        _answered(project, "build", status=status)
    for depth in range(1100, 0, -1):
        for path in sorted((project.folder / ("a/" * depth)).iterdir(), reverse=True):
            _remove(path)
        os.rmdir(project.folder / ("a/" * depth))


def _remove(path: Path) -> None:
    if path.is_dir():
        for below in path.iterdir():
            _remove(below)
        path.rmdir()
    else:
        path.unlink()


def test_long_chains_of_links_are_an_error(project: Project) -> None:
    for number in range(DEPTH):
        (project.folder / f"link{number}").symlink_to(f"link{number + 1}")
    (project.folder / "generated").symlink_to("link0")
    _answered(project, "build", status=2)
    _answered(project, "check", status=2)
    (project.folder / "generated").unlink()
    (project.folder / "pyproject.toml").symlink_to("link0")
    _answered(project, "build", status=0)
    (project.folder / "schemas/link.pyi").symlink_to("../link0")
    _answered(project, "build", status=2)


def test_deeply_nested_settings_are_an_error(project: Project) -> None:
    settings = project.folder / "pyproject.toml"
    for line in SETTINGS:
        settings.write_text(f"[tool.codegen]\n{line}\n")
        for words in (("build",), ("init",)):
            said = _answered(project, *words, status=2)
            assert len(said) < 2000, (line[:20], words)
    # Python 3.14 reads keys of up to 1000 parts.
    settings.write_text(f"[tool.codegen]\n[tool.other]\nx{'.a' * 900} = 1\n")
    _answered(project, "build", status=0)
    settings.write_text("[tool.codegen]\n")
    (project.folder / "ruff.toml").write_text(f"x = {NESTED}\n")
    (project.folder / "pyrightconfig.json").write_text(f'{{"ignore": {NESTED}}}\n')
    _answered(project, "init", status=0)
