"""Test `codegen build --watch` in a separate process: its output, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen.cli import watch
from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.output.schemas import Stamps, stamps
from tests.cli.conftest import Capture, Run
from tests.promises.project import SCHEMAS, Project, new

HANGS_S = 100.0  # The process is killed and the test fails after this time without output. [s]


class Watching:
    """A watching command, and the lines that it prints."""

    def __init__(self, project: Project) -> None:
        # A background job ignores SIGINT, and its child processes do too.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "codegen", "build", "--watch", "--output-format", "concise"],
            cwd=project.folder,
            env=project.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.guard = threading.Timer(HANGS_S, self.process.kill)
        self.guard.start()

    def until(self, *words: str) -> str:
        """Read until a line contains one of these words. Fail if the command ends before."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if any(word in line for word in words):
                return line
        raise AssertionError(f"the command ended before it said one of {words}")

    def end(self) -> tuple[int, str, str]:
        """End it like Ctrl-C; return the status and the remaining output."""
        self.process.send_signal(signal.SIGINT)
        out, told = self.process.communicate()
        return self.process.returncode, out, told


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new(tmp_path / "project")


@pytest.fixture
def watching(project: Project) -> Iterator[Watching]:
    running = Watching(project)
    yield running
    running.guard.cancel()
    running.process.kill()
    running.process.communicate()


def test_watch_rebuilds_on_changes(project: Project, watching: Watching) -> None:
    steel = project.folder / "schemas/steel.pyi"
    assert watching.until("built", "up to date").startswith("built 3 modules: ")
    assert watching.until("watching") == "watching schemas; press Ctrl-C to stop\n"
    steel.write_text(SCHEMAS["steel.pyi"].replace("7850", "7800"))
    assert " 1 written, 0 removed" in watching.until("built")
    assert "7800" in (project.out / "steel.py").read_text()
    # An error is printed. It changes nothing and does not end the process.
    steel.write_text("class Steel\n")
    assert watching.until("error").startswith("schemas/steel.pyi:1:")
    assert "7800" in (project.out / "steel.py").read_text()
    steel.write_text(SCHEMAS["steel.pyi"].replace("7850", "7700"))
    assert " 1 written, 0 removed" in watching.until("built")
    # A new folder, and a removed one.
    (project.folder / "schemas/new").mkdir()
    (project.folder / "schemas/new/iron.pyi").write_text(SCHEMAS["steel.pyi"])
    watching.until("built")
    (project.folder / "schemas/plants/boiler.pyi").unlink()
    assert "UNKNOWN_MODULE" in watching.until("error")
    assert watching.end() == (0, "", "stopped\n")


def test_watch_survives_removal_of_the_root(project: Project, watching: Watching) -> None:
    """A checkout of another branch may do this."""
    watching.until("watching")
    (project.folder / "schemas").rename(project.folder / "away")
    project.write()
    (project.folder / "schemas/steel.pyi").write_text("class Iron: ...\n")
    while "class Iron" not in (project.out / "steel.py").read_text():
        watching.until("built", "up to date", "error")
    status, _, told = watching.end()
    assert (status, told) == (0, "stopped\n")


def test_watch_retries_after_a_failed_build(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[Exception] = [OSError(2, "No such file", "a.pyi"), Failure("no schema")]

    def build() -> int:
        if failures:
            raise failures.pop(0)
        raise KeyboardInterrupt

    looks: list[Stamps] = [(("a.pyi", 1, 1),), (("a.pyi", 1, 1),), (("a.pyi", 2, 1),)]
    monkeypatch.setattr(watch, "_looks", lambda _: iter(looks))
    console = Console("full", is_quiet=False, is_verbose=False)
    assert watch.watch("schemas", build, console) == 0
    assert capsys.readouterr().err == (
        "error: a.pyi: No such file\nwatching schemas; press Ctrl-C to stop\nerror: no schema\nstopped\n"
    )


def test_incompatible_options_of_watch_are_errors(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch, project: Project
) -> None:
    monkeypatch.chdir(project.folder)
    assert run("build", "--watch", "--output-format", "json") == 2
    assert "one document" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert run("build", "--watch") == 2
    assert "`--watch` needs watchfiles: run `pip install watchfiles`" in capsys.readouterr().err


def test_temporary_files_of_editors_are_ignored(project: Project) -> None:
    schemas = project.folder / "schemas"
    before = stamps(str(schemas))
    for name in (".heat.pyi.swp", ".heat.pyi", "heat.pyi~", "heat.py", "4913"):
        (schemas / name).write_text("")
    assert stamps(str(schemas)) == before
    (schemas / "new.pyi").write_text("")
    assert stamps(str(schemas)) != before
    assert stamps(str(schemas / "missing")) == ()
