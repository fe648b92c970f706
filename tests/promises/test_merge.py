"""Git merges the output of two branches. A build resolves what Git cannot merge."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.output.manifest import NAME
from tests.promises.project import SCHEMAS, Project, texts

_SETTINGS = '[tool.codegen]\nroot = "schemas"\nout = "generated"\n'
_TWO_CLASSES = """from codegen.schema import dynamic, f32

class First:
    a: dynamic[f32]  # [K]
    b: dynamic[f32]  # [K]
    c: dynamic[f32]  # [K]

class Second:
    a: dynamic[f32]  # [s]
    b: dynamic[f32]  # [s]
    c: dynamic[f32]  # [s]
"""


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    identity = {
        f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    return subprocess.run(
        ["git", *words],
        cwd=folder,
        env=os.environ | identity | {"GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )


class Branches:
    """A repository set up by `init`, with a change of its schemas on each of two branches."""

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder)
        folder.mkdir()
        self.project.write({**SCHEMAS, "two.pyi": _TWO_CLASSES})
        (folder / "pyproject.toml").write_text(_SETTINGS)
        assert self.project.call("init").returncode == 0
        self.project.build()
        self.git("init", "-q", "-b", "ours")
        self.commit()
        self.git("branch", "theirs")

    def git(self, *words: str) -> None:
        finished = _git(self.project.folder, *words)
        assert finished.returncode == 0, finished.stdout + finished.stderr

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "a change")

    def change(self, branch: str, edit: Callable[[Path], object]) -> None:
        self.git("checkout", "-q", branch)
        edit(self.project.folder / "schemas")
        self.project.build()
        self.commit()

    def merge(self) -> bool:
        """Merge the other branch; return whether Git reports no conflict."""
        self.git("checkout", "-q", "ours")
        return _git(self.project.folder, "merge", "-q", "theirs").returncode == 0


def _replace_text(name: str, old: str, new: str) -> Callable[[Path], object]:
    def edit(schemas: Path) -> None:
        text = (schemas / name).read_text()
        assert old in text
        (schemas / name).write_text(text.replace(old, new, 1))

    return edit


def _add_schema(name: str) -> Callable[[Path], object]:
    def edit(schemas: Path) -> None:
        (schemas / name).parent.mkdir(exist_ok=True)
        (schemas / name).write_text(_TWO_CLASSES)

    return edit


CHANGES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "two new schemas": (_add_schema("new/one.pyi"), _add_schema("new/other.pyi")),
    "a new and a deleted one": (
        _add_schema("fresh.pyi"),
        lambda here: (here / "steel.pyi").unlink(),
    ),
    "a changed and a deleted one": (
        _replace_text("heat.pyi", "0.1", "0.2"),
        lambda here: (here / "steel.pyi").unlink(),
    ),
    "two changed ones": (
        _replace_text("heat.pyi", "0.1", "0.2"),
        _replace_text("steel.pyi", "7850.0", "7900.0"),
    ),
    "a new and a changed one": (_add_schema("fresh.pyi"), _replace_text("heat.pyi", "0.1", "0.2")),
    "two deleted ones": (
        lambda here: (here / "steel.pyi").unlink(),
        lambda here: (here / "two.pyi").unlink(),
    ),
    "two classes of one schema": (
        _replace_text("two.pyi", "a: dynamic[f32]  # [K]", "a: dynamic[f32] = 0.5  # [K]"),
        _replace_text("two.pyi", "c: dynamic[f32]  # [s]", "c: dynamic[f32] = 0.5  # [s]"),
    ),
    "a new and a changed class": (
        _replace_text("two.pyi", "class Second", "class New: ...\n\nclass Second"),
        _replace_text("two.pyi", "c: dynamic[f32]  # [s]", "d: dynamic[f32]  # [s]"),
    ),
    "a renamed class and a default in it": (
        _replace_text("two.pyi", "class Second", "class Renamed"),
        _replace_text("two.pyi", "c: dynamic[f32]  # [s]", "c: dynamic[f32] = 0.5  # [s]"),
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_branches_merge_without_a_conflict(tmp_path: Path, case: str) -> None:
    branches = Branches(tmp_path / "project")
    ours, theirs = CHANGES[case]
    branches.change("ours", ours)
    branches.change("theirs", theirs)
    assert branches.merge()
    project = branches.project
    checked = project.call("check")
    assert checked.returncode == 0, checked.stderr
    merged = project.build()
    assert " 0 written, 0 removed" in merged or merged.startswith("up to date"), merged
    assert project.build().startswith("up to date")
    assert project.call("check").returncode == 0


def test_one_build_resolves_a_conflict(tmp_path: Path) -> None:
    """Both branches changed one class. The schema is merged by hand, the output by a build."""
    branches = Branches(tmp_path / "project")
    for branch, size in (("ours", "0.2"), ("theirs", "0.3")):
        branches.change(branch, _replace_text("heat.pyi", "0.1", size))
    assert not branches.merge()
    project = branches.project
    output = project.out / "heat.py"
    assert "<<<<<<<" in output.read_text()
    assert "<<<<<<<" not in (project.out / NAME).read_text()
    assert "Git could not merge this file" in project.call("build").stderr
    (project.folder / "schemas/heat.pyi").write_text(SCHEMAS["heat.pyi"].replace("0.1", "0.4"))
    finished = project.call("build")
    assert finished.returncode == 0, finished.stderr
    assert "heat.py" in finished.stderr
    resolved = texts(project.out)
    assert b"<<<<<<<" not in resolved["heat.py"]
    project.build("--force")
    assert texts(project.out) == resolved


def test_an_edit_by_hand_survives_a_merge(tmp_path: Path) -> None:
    """An edit in a file that only one branch has rebuilt is not treated as a merge."""
    branches = Branches(tmp_path / "project")
    branches.change("theirs", _replace_text("heat.pyi", "0.1", "0.2"))
    branches.git("checkout", "-q", "ours")
    edited = branches.project.out / "steel.py"
    edited.write_text(edited.read_text() + "MINE = 1\n")
    branches.commit()
    assert branches.merge()
    finished = branches.project.call("build")
    assert finished.returncode == 1
    assert "EDITED_OUTPUT" in finished.stderr
    assert edited.read_text().endswith("MINE = 1\n")


def test_line_ends_that_git_converts_are_restored(tmp_path: Path) -> None:
    """A user's `core.autocrlf` converts on every system, unless `.gitattributes` prevents it."""
    branches = Branches(tmp_path / "project")
    expected = texts(branches.project.out)
    branches.git("rm", "-q", ".gitattributes")
    branches.commit()
    branches.git("clone", "-q", "-c", "core.autocrlf=true", ".", str(tmp_path / "clone"))
    project = Project(tmp_path / "clone")
    for path in (project.out / "heat.py", project.out / NAME, project.folder / "schemas/heat.pyi"):
        assert b"\r\n" in path.read_bytes()
    checked = project.call("check", "--output-format", "concise")
    assert checked.returncode == 1
    assert "`generated/heat.py` has CR LF line endings" in checked.stderr
    project.build()
    assert texts(project.out) == expected
