"""Fixtures for commands that `codegen adopt` observes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_PRELOADED = Path(__file__).with_name("preloaded.py")


@pytest.fixture(scope="session")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A program that runs like Python, and has imported JAX: see `preloaded.py`."""
    folder = tmp_path_factory.mktemp("python")
    socket, program = folder / "socket", folder / "python"
    program.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -S -E "{_PRELOADED}" "{socket}" "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    words = [sys.executable, "-W", "ignore", str(_PRELOADED), str(socket)]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield str(program)
        server.kill()
