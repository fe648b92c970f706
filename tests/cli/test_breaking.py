"""Test `codegen breaking`: how it finds the earlier version, and its output. See `tests/test_breaking.py`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Capture, Run

OLD = """\
from codegen.schema import dynamic, f32

class Bar:
    u: dynamic[f32]
    t: dynamic[f32] = 0.0
"""
NEW = OLD.replace("    t: dynamic[f32] = 0.0\n", "    t: dynamic[f32] = 1.0\n")


def _git(folder: Path, *words: str) -> None:
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, a git repository with one schema that was changed since the commit."""
    # Isolate the tests from the git configuration of the machine and from a repository around them.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    project = tmp_path / "repository" / "project"
    (project / "schemas/deep").mkdir(parents=True)
    (project / "schemas/bar.pyi").write_text(OLD)
    (project / "schemas/deep/empty.pyi").write_text("")
    (project / "schemas/.hidden.pyi").write_text("not a schema")
    (project / "schemas/link.pyi").symlink_to("/etc/passwd")
    _git(project.parent, "init", "--initial-branch=main")
    _git(project, "add", ".")
    _git(project, "commit", "--message=first")
    _git(project, "tag", "v1")
    (project / "schemas/link.pyi").unlink()
    (project / "schemas/bar.pyi").write_text(NEW)
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize("ref", ["main", "v1", "HEAD", "HEAD~0"])
def test_compare_with_commit(run: Run, capsys: Capture, real: Path, ref: str) -> None:
    assert run("breaking", "--against", ref) == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert told.startswith(
        "error[DEFAULT_CHANGED]: the default of `t` is now `1.0` instead of `0.0`\n"
    )
    assert f"::: {ref}:schemas/bar.pyi:5:5" in told
    assert told.endswith("1 breaking change: source 1\n")


def test_compare_with_folder(run: Run, capsys: Capture, real: Path) -> None:
    # A folder takes precedence over a branch with the same name.
    (real / "main").mkdir()
    (real / "main/bar.pyi").write_text(NEW.replace("    u:", "    v: dynamic[f32]\n    u:"))
    assert run("breaking", "--against", "main", "--output-format", "json") == 1
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert found["code"] == "FIELD_REMOVED"
    assert found["breaks"] == ["source", "constructor", "treedef", "checkpoint"]
    assert found["related"][0]["path"] == "main/bar.pyi"


def test_kinds_option_selects_changes(run: Run, capsys: Capture, real: Path) -> None:
    assert run("breaking", "--against", "main", "--kinds", "checkpoint, treedef") == 0
    assert capsys.readouterr().err == "nothing breaks (checked: treedef, checkpoint)\n"
    for none in ("", ",", " "):
        assert run("breaking", "--against", "main", "--kinds", none) == 2
        assert "`--kinds` is empty; write one or more of: source" in capsys.readouterr().err
    assert run("breaking", "--against", "main", "--kinds", "sources") == 2
    assert "`sources` in `--kinds` is not a kind; did you mean `source`?" in (
        capsys.readouterr().err
    )


def test_compatible_change_reports_nothing(run: Run, capsys: Capture, real: Path) -> None:
    (real / "schemas/bar.pyi").write_text(OLD + "    v: dynamic[f32] = 0.0\n")
    assert run("breaking", "--against", "main", "--kinds", "source,constructor") == 0
    (real / "schemas/bar.pyi").write_text(f"# A comment.\n\n{OLD}")
    assert run("breaking", "--against", "main") == 0
    assert capsys.readouterr().err.endswith(
        "nothing breaks (checked: source, constructor, treedef, checkpoint)\n"
    )


@pytest.mark.parametrize(
    ("against", "message"),
    [
        ("no-such-ref", "`no-such-ref` is neither a folder nor a commit that Git knows here"),
        ("^main", "`^main` is neither a folder nor a commit"),
        ("--help=x", "`--help=x` is neither a folder nor a commit"),
        (":bar.pyi", "`:bar.pyi` is not a commit: a reference that begins with `:` names a file"),
        (":/first", "Write a commit, a tag or a branch, such as `main`\n"),
        ("main:project", "`main:project` is neither a folder nor a commit"),
        ("", "`` is neither a folder nor a commit"),
    ],
)
def test_unknown_version_is_an_error(
    run: Run, capsys: Capture, real: Path, against: str, message: str
) -> None:
    assert run("breaking", f"--against={against}") == 2
    assert message in capsys.readouterr().err


def test_commit_without_schemas_is_an_error(run: Run, capsys: Capture, real: Path) -> None:
    (real / "others").mkdir()
    (real / "others/bar.pyi").write_text(OLD)
    told = "nothing breaks: `{}` has no schema (*.pyi) in `others`\n"
    assert run("breaking", "others", "--against", "main") == 0
    assert capsys.readouterr().err == told.format("main")
    (real / "empty").mkdir()
    assert run("breaking", "others", "--against", "empty") == 0
    assert capsys.readouterr().err == told.format("empty")


@pytest.mark.parametrize(
    ("name", "commit"), [("main", "refs/heads/main"), ("v1", "refs/tags/v1"), ("HEAD~0", "")]
)
def test_folder_without_schemas_named_like_a_commit_is_an_error(
    run: Run, capsys: Capture, real: Path, name: str, commit: str
) -> None:
    (real / name).mkdir()
    asked = ["git", "rev-parse", name]
    hash = subprocess.run(asked, cwd=real, check=True, capture_output=True, text=True).stdout
    commit = commit or hash.strip()
    assert run("breaking", "--against", name) == 2
    assert capsys.readouterr().err == (
        f"error: `{name}` is both a folder without schemas (*.pyi) and a Git commit: write "
        f"`./{name}` for the folder, or `{commit}` for the commit\n"
    )
    # The advice names both possibilities.
    assert run("breaking", "--against", commit) == 1
    assert "DEFAULT_CHANGED" in capsys.readouterr().err
    assert run("breaking", "--against", f"./{name}") == 0
    assert f"nothing breaks: `./{name}` has no schema" in capsys.readouterr().err


def test_no_git_repository_is_an_error(
    run: Run, capsys: Capture, real: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = real.parent.parent / "outside"
    outside.mkdir()
    (outside / "bar.pyi").write_text(OLD)
    assert run("breaking", str(outside), "--against", "main") == 2
    assert "is not in a Git repository" in capsys.readouterr().err
    (outside / "empty").mkdir()
    assert run("breaking", str(outside), "--against", str(outside / "empty")) == 0
    monkeypatch.setenv("PATH", str(outside))
    assert run("breaking", "--against", "main") == 2
    assert "git is not installed: compare with a folder" in capsys.readouterr().err
    assert run("breaking", "--against", str(outside / "empty")) == 0


def test_invalid_schemas_are_reported(run: Run, capsys: Capture, real: Path) -> None:
    (real / "old").mkdir()
    (real / "old/bar.pyi").write_text("n: int\n")
    assert run("breaking", "--against", "old") == 2
    told = capsys.readouterr().err
    assert "--> old/bar.pyi:1:1" in told
    assert told.endswith("error: the schemas of `old` have errors and cannot be compared\n")
    (real / "schemas/bar.pyi").write_text("n: int\n")
    assert run("breaking", "--against", "old") == 1
    assert "--> schemas/bar.pyi:1:1" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"])
def test_git_variables_of_a_hook_are_removed(
    run: Run, capsys: Capture, real: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, str(real / "elsewhere"))
    assert run("breaking", "--against", "main") == 1
    assert capsys.readouterr().err.startswith("error[DEFAULT_CHANGED]")
