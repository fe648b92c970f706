"""The page on notebooks, followed in a real kernel: its blocks are cells, its comments what they show."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
PAGE = "docs/notebooks.md"
SESSION = ROOT / "tests/docs/session.py"


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[BlockingKernelClient]:
    manager = KernelManager(kernel_name="python3", transport="ipc", ip=str(tmp_path / "socket"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    manager.start_kernel(cwd=str(tmp_path), env=environment)
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def execute(kernel: BlockingKernelClient, code: str) -> str:
    """Run a cell; return what it prints to either stream, and what it raises."""
    shown: list[str] = []

    def see(message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] == "stream":
            shown.append(content["text"])
        elif message["msg_type"] == "error":
            shown.append("\n".join(content["traceback"]))

    kernel.execute_interactive(code, output_hook=see, timeout=300)
    return "".join(shown)


def test_the_page_in_a_kernel(kernel: BlockingKernelClient, tmp_path: Path) -> None:
    setup = f"import sys, runpy; page = runpy.run_path({str(SESSION)!r})['run']; sys.path[0] = ''"
    assert execute(kernel, setup) == ""
    seconds = itertools.count(int(time.time()) + 10, 10)
    cells = 0
    for block in blocks((ROOT / PAGE).read_text(encoding="utf-8")):
        if block.file:
            path = tmp_path / block.file
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            # What is written again within a second has changed all the same.
            os.utime(path, times=(moment := next(seconds), moment))
        elif block.language == "sh":
            build = [sys.executable, "-m", *block.text.split()]
            subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
            for path in (tmp_path / "generated").glob("*.py"):
                os.utime(path, times=(moment := next(seconds), moment))
        elif block.text.startswith("%"):
            assert execute(kernel, block.text) == ""
        else:
            cells += 1
            code = f"page(globals(), {PAGE!r}, {block.line}, {block.text!r}, None)"
            assert execute(kernel, code) == "", block.text
    assert cells == 8
