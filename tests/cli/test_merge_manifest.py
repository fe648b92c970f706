"""`codegen merge-manifest`, by itself and as Git runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.plan import manifest
from codegen.starter import MERGE_DRIVER, SCHEMA
from tests.promises.project import CHECKOUT

Run = Callable[..., int]
A, B, C = ("a" * 32, "b" * 32, "c" * 32)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        # Two branches that each add a line, side by side.
        ([], [(A, "x.py")], [(B, "y.py")], [(A, "x.py"), (B, "y.py")]),
        # One that removes what the other left alone, and one that changes it.
        ([(A, "x.py"), (A, "y.py")], [(A, "y.py")], [(A, "x.py"), (B, "y.py")], [(B, "y.py")]),
        # Both changed it, alike or not.
        ([(A, "x.py")], [(B, "x.py")], [(B, "x.py")], [(B, "x.py")]),
        ([(A, "x.py")], [(C, "x.py")], [(B, "x.py")], [(B, "x.py"), (C, "x.py")]),
        # Of what one removed and the other changed, the change is ours still.
        ([(A, "x.py")], [], [(B, "x.py")], [(B, "x.py")]),
        ([(A, "x.py")], [], [(A, "x.py")], []),
    ],
)
def test_a_merge(
    run: Run,
    empty: Path,
    base: list[tuple[str, str]],
    ours: list[tuple[str, str]],
    theirs: list[tuple[str, str]],
    expected: list[tuple[str, str]],
) -> None:
    for name, entries in (("base", base), ("ours", ours), ("theirs", theirs)):
        Path(name).write_text(manifest.write((path, one) for one, path in entries))
    assert run("merge-manifest", "base", "ours", "theirs") == 0
    assert Path("ours").read_text() == manifest.write((path, one) for one, path in expected)
    assert Path("theirs").read_text() == manifest.write((path, one) for one, path in theirs)


def test_what_is_no_manifest_is_left_alone(
    run: Run, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A branch may have none, of which Git gives an empty file."""
    Path("base").touch()
    Path("ours").write_text(manifest.write([]))
    Path("theirs").write_text("mine\n")
    assert run("merge-manifest", "base", "ours", "theirs") == 2
    assert "`theirs` is no manifest of codegen" in capsys.readouterr().err
    assert run("merge-manifest", "base", "ours", "nowhere") == 2
    assert "`nowhere` is not there" in capsys.readouterr().err
    assert run("merge-manifest", "base", "ours", "base") == 0
    assert Path("ours").read_text() == manifest.write([])


def test_two_branches_that_each_add_a_schema(
    tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tmp_path / "bin/codegen"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codegen "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)

    def done(*words: str) -> str:
        finished = subprocess.run(words, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return finished.stdout + finished.stderr

    def branch(name: str, text: str) -> None:
        done("git", "checkout", "-q", "-b", name, "main")
        Path(f"schemas/{name}.pyi").write_text(text)
        done("codegen", "build")
        done("git", "add", "-A")
        done("git", "commit", "-qm", name)

    done("git", "init", "-q", "-b", "main")
    for key, value in (("user.name", "a"), ("user.email", "a@b.c"), ("commit.gpgsign", "false")):
        done("git", "config", key, value)
    told = done("codegen", "init", "--out", "made here")
    assert MERGE_DRIVER in told
    done("sh", "-c", MERGE_DRIVER)
    done("git", "add", "-A")
    done("git", "commit", "-qm", "start")
    # Names that stand side by side in the manifest.
    branch("first", SCHEMA.replace("0.01", "0.02"))
    branch("second", SCHEMA.replace("0.01", "0.03"))
    done("git", "merge", "-q", "--no-edit", "first")
    assert "up to date" in done("codegen", "check")
    listed = Path("made here/.codegen-manifest").read_text()
    assert "  first.py\n" in listed
    assert "  second.py\n" in listed
