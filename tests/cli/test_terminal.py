"""Test the progress bar, and completion in shells."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable

import pytest

from codegen.cli.completion import SHELLS
from codegen.cli.console import Console
from codegen.cli.progress_bar import shown
from codegen.progress import listening, steps
from tests.cli.conftest import Capture, Run


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _clock(*times_s: float) -> Callable[[], float]:
    return iter(times_s).__next__


def test_progress_steps_are_passed_to_the_listener() -> None:
    told: list[tuple[str, int, int]] = []
    with listening(lambda *step: told.append(step)):
        assert list(steps("reading", "ab")) == ["a", "b"]
    assert list(steps("reading", "ab")) == ["a", "b"]
    assert told == [("reading", 0, 2), ("reading", 1, 2)]


def test_a_short_build_shows_no_bar() -> None:
    terminal = _Terminal()
    with shown(terminal, _clock(5.0, 5.5, 5.999)):
        assert list(steps("reading", "ab")) == ["a", "b"]
    assert terminal.getvalue() == ""


def test_long_build_shows_and_removes_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = _Terminal()
    with shown(terminal, _clock(5.0, 5.5, 6.0, 6.05, 6.15, 6.3)):
        for step in steps("reading", "abcd"):
            if step == "c":
                break
        list(steps("rendering", "ab"))
    drawn = terminal.getvalue()
    assert "rendering" in drawn
    assert "50%" in drawn
    assert drawn.rstrip("\r").endswith(("\x1b[2K", "\x1b[?25h", "\x1b[1A\x1b[2K"))


def test_no_bar_without_a_terminal(capsys: Capture) -> None:
    with Console("text", is_quiet=False, is_verbose=False).progress():
        assert list(steps("reading", "ab")) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_contains_commands_and_options(run: Run, capsys: Capture, shell: str) -> None:
    assert run("completion", shell) == 0
    out, told = capsys.readouterr()
    assert told == ""
    for word in ("build", "check", "explain", "force", "watch"):
        assert word in out


def test_bash_completion_works(run: Run, capsys: Capture) -> None:
    assert run("completion", "bash") == 0
    script = capsys.readouterr().out + (
        "\nCOMP_WORDS=(codegen build --fo) COMP_CWORD=2\n"
        "_shtab_codegen codegen --fo build 2>/dev/null\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    finished = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout == "--force\n"


def test_unknown_shell_is_an_error(run: Run, capsys: Capture) -> None:
    assert run("completion", "cmd") == 2
    assert "invalid choice" in capsys.readouterr().err
