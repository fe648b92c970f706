"""Test the command with standard streams that are closed, full, or a pipe that nothing reads."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.promises.project import CHECKOUT

# Commands that print something on standard output.
PRINTING = ("--help", "show --stage schema", "check --diff", "explain SYNTAX --output-format json")
# Commands that print something only on standard error, and their exit status.
REPORTING = {"build": 0, "biuld": 2, "build no-such-folder": 2}

# A full device, which macOS does not have; there, an open file that cannot be written.
FULL, FULL_REASON = (
    (">/dev/full", errno.ENOSPC) if os.path.exists("/dev/full") else ("</dev/null", errno.EBADF)
)


@pytest.fixture
def unbuilt(empty: Path) -> Path:
    """The current folder, with a schema."""
    (empty / "schemas").mkdir()
    (empty / "schemas" / "heat.pyi").write_text("class Grid: ...\n", encoding="utf-8")
    return empty


@pytest.fixture
def closed_pipe() -> Iterator[int]:
    """The end of a pipe for writing. Nothing reads it."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def _run(
    words: str, redirection: str = "", stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE
) -> tuple[int, str]:
    """Run a command in a shell; return its exit status, and what it wrote to a pipe."""
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m codegen {words} {redirection}'],
        # Python's buffers must not hide an error, nor report it at exit.
        env=os.environ | {"PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": ""},
        stdout=stdout,
        stderr=stderr,
        text=True,
        check=False,
    )
    return done.returncode, (done.stdout or "") + (done.stderr or "")


@pytest.mark.parametrize(
    ("redirection", "reason"), [(f"1{FULL}", FULL_REASON), (">&-", errno.EBADF)]
)
@pytest.mark.parametrize("words", PRINTING)
def test_unwritable_output_is_an_error_in_one_line(
    unbuilt: Path, words: str, redirection: str, reason: int
) -> None:
    status, told = _run(words, redirection)
    assert status == 2
    assert told == f"error: standard output: {os.strerror(reason)}\n"


@pytest.mark.parametrize("words", PRINTING)
def test_output_to_a_closed_pipe_ends_silently(unbuilt: Path, closed_pipe: int, words: str) -> None:
    assert _run(words, stdout=closed_pipe) == (141, "")


@pytest.mark.parametrize("redirection", ["2>&-", f"2{FULL}", ">&- 2>&-"])
@pytest.mark.parametrize("words", REPORTING)
def test_unwritable_messages_do_not_change_the_status(
    unbuilt: Path, words: str, redirection: str
) -> None:
    assert _run(words, redirection) == (REPORTING[words], "")


def test_usage_error_with_unwritable_document_has_both_reasons(unbuilt: Path) -> None:
    status, told = _run("biuld --output-format json", f"1{FULL}")
    assert status == 2
    assert told == (
        "error: `biuld` is not a verb; did you mean `build`?\n"
        f"error: standard output: {os.strerror(FULL_REASON)}\n"
    )


@pytest.mark.parametrize("words", REPORTING)
def test_messages_to_a_closed_pipe_end_the_command_silently(
    unbuilt: Path, closed_pipe: int, words: str
) -> None:
    assert _run(words, stderr=closed_pipe) == (141, "")
