"""`check` never writes: neither files nor times, also in a read-only tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.promises.project import SCHEMAS, Project, new, stamps


def _as_it_is(project: Project) -> int:
    return 0


def _never_built(project: Project) -> int:
    for path in sorted(project.out.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    project.out.rmdir()
    return 1


def _stale(project: Project) -> int:
    schema = project.folder / "schemas/steel.pyi"
    schema.write_text(schema.read_text().replace("7850", "7800"))
    return 1


def _edited(project: Project) -> int:
    path = project.out / "steel.py"
    path.write_text(path.read_text() + "# mine\n")
    return 1


def _orphaned_and_missing(project: Project) -> int:
    (project.folder / "schemas/steel.pyi").unlink()
    (project.out / "heat.py").unlink()
    return 1


def _left_by_a_build_that_was_killed(project: Project) -> int:
    (project.out / ".0123456789abcdef.codegen-tmp").write_text("")
    return 0


def _wrong(project: Project) -> int:
    (project.folder / "schemas/steel.pyi").write_text("class")
    return 1


def _without_schemas(project: Project) -> int:
    for path in (project.folder / "schemas").rglob("*.pyi"):
        path.unlink()
    return 1


STATES = [
    _as_it_is,
    _never_built,
    _stale,
    _edited,
    _orphaned_and_missing,
    _left_by_a_build_that_was_killed,
    _wrong,
    _without_schemas,
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = new(tmp_path / "project", SCHEMAS)
    project.build()
    yield project
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o755)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("words", [(), ("--diff",), ("--output-format", "json")], ids=str)
def test_check_never_writes(
    project: Project, state: Callable[[Project], int], words: tuple[str, ...]
) -> None:
    status = state(project)
    everything = project.folder.parent
    for path in everything.rglob("*"):
        os.utime(path, ns=(1, 1))
    before = stamps(everything)
    assert project.call("check", *words).returncode == status
    assert stamps(everything) == before


@pytest.mark.parametrize("state", STATES)
def test_check_works_in_a_read_only_tree(project: Project, state: Callable[[Project], int]) -> None:
    status = state(project)
    everything = project.folder.parent
    for path in (*everything.rglob("*"), everything):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = stamps(everything)
    finished = project.run("check", is_privileged=False)
    assert finished.returncode == status, finished.stderr
    assert "ermission" not in finished.stderr
    assert stamps(everything) == before
