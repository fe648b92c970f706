"""Differences of Windows and macOS, simulated."""

from __future__ import annotations

import atexit
import json
import ntpath
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.adopt.observe import recorder
from codegen.output import system
from tests.promises.project import CHECKOUT, new, texts

# A process like on Windows: `os` opens no folders and has neither fork nor flock.
WINDOWS = """
import os, stat, sys

for name in (
    "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "fchmod", "fork", "sched_getaffinity",
):
    delattr(os, name)
sys.modules["fcntl"] = None
opened, replaced, unlinked = os.open, os.replace, os.unlink

def open_no_folder(path, *rest):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, *rest)

def replace_at_last(source, target, seen=set()):
    # Somebody has the file open when it is tried first.
    if os.path.exists(target) and target not in seen:
        seen.add(target)
        raise PermissionError(13, "The process cannot access the file", target)
    return replaced(source, target)

os.open, os.replace = open_no_folder, replace_at_last

import filelock
locks = []

def lock(descriptor, blocking):
    assert stat.S_ISREG(os.fstat(descriptor).st_mode)
    locks.append(descriptor)
    return True

filelock.lock_descriptor = lock

from codegen.output import system
system._WAITS_S = (0.0, 0.0)

from codegen.cli.main import main
status = main(sys.argv[1:])
assert locks or "build" not in sys.argv, "nothing was locked"
sys.exit(status)
"""


def test_build_on_simulated_windows(tmp_path: Path) -> None:
    project, alone = new(tmp_path / "project"), new(tmp_path / "alone")
    alone.build()

    def run(*words: str) -> str:
        finished = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", WINDOWS, *words],
            cwd=project.folder,
            env={**project.environment, "PYTHONPATH": str(CHECKOUT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stderr

    assert "built 3 modules" in run("build", "--no-cache")
    assert texts(project.out) == texts(alone.out)
    schema = project.folder / "schemas/steel.pyi"
    schema.write_text(schema.read_text().replace("7850.0", "7851.0"))
    assert "1 written" in run("build")
    run("check")
    # Only the output. The lock is in the user's cache folder.
    assert {path.name for path in project.folder.iterdir()} <= {
        "generated", "schemas", "cache", "pyproject.toml",
    }  # fmt: skip


def test_links_are_detected_without_o_nofollow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codegen.output.system import regular

    (tmp_path / "a").write_text("mine")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    monkeypatch.delattr(os, "O_NOFOLLOW")
    assert regular(str(tmp_path / "a")) == b"mine"
    with pytest.raises(OSError, match="is not a regular file") as caught:
        regular(str(tmp_path))
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(OSError, match="is a symbolic link"):
        regular(str(tmp_path / "b"))


def test_names_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Windows:
        """The functions of `os` that `system` and `links` use."""

        path = ntpath
        sep = "\\"

    monkeypatch.setattr(ntpath, "abspath", lambda path: ntpath.join("C:\\here", path))
    monkeypatch.setattr(system, "os", Windows)
    monkeypatch.setattr(system, "_IS_WINDOWS", True)
    assert system.native("generated", "plants/boiler.py") == r"generated\plants\boiler.py"
    deep = "/".join(["plants"] * 50)
    whole = system.native("generated", f"{deep}/boiler.py")
    assert whole.startswith("\\\\?\\C:\\here\\generated\\plants\\plants\\")
    assert "/" not in whole
    # The parents of a path, with either separator, starting from its drive.
    seen: list[str] = []
    monkeypatch.setattr(system, "os", Windows)
    monkeypatch.setattr(system, "is_link", seen.append)
    assert not system.is_reached("D:/a\\b/c", "")
    assert seen == ["D:\\a", "D:\\a\\b", "D:\\a\\b\\c"]


def test_file_opened_by_another_program_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On Windows the error names the file, after several retries. Elsewhere it is raised at once."""
    tries = []

    def refuse(source: str, target: str) -> None:
        tries.append(target)
        raise PermissionError(13, "The process cannot access the file", target)

    monkeypatch.setattr(os, "replace", refuse)
    for waits, count in (((0.0, 0.0), 3), ((), 1)):
        tries.clear()
        monkeypatch.setattr(system, "_WAITS_S", waits)
        with pytest.raises(PermissionError):
            system.replace(str(tmp_path / "a"), str(tmp_path / "b"))
        assert len(tries) == count


def test_observe_without_fork(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    saved: list[Any] = []
    monkeypatch.delattr(os, "register_at_fork")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(atexit, "register", saved.append)
    config = tmp_path / "config.json"
    given = {
        "classes": {},
        "out": str(tmp_path),
        "generated": "",
        "interfaces": {},
        "places": {},
        "arguments": False,
    }
    config.write_text(json.dumps(given))
    recorder.start(str(config))
    assert [one.__name__ for one in saved] == ["save"]
