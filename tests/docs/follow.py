"""Follow a page in a separate folder, as a reader does.

follow("docs/tutorial.md", page, tmp_path / "reader")

A block whose first line is a comment with a path is that file. A `sh` block is run, and a `text` block directly after
it is its expected output. `python` blocks form one session, until a shell block may have changed the imported code. A
remark after the language excludes a block: `not run: ...`. An `excerpt of FILE` is a part of that file, in the
reader's folder or in the checkout.
"""

from __future__ import annotations

import atexit
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from unittest import mock

from codegen.cli.main import main
from tests.docs.blocks import Block, blocks
from tests.docs.session import matches
from tests.xla import COMPILED_QUICKLY, compilation_cache

_STATUS = re.compile(r"# exit status (\d+)\s*$")
# Times depend on the machine of the author. Counts do not.
_SECONDS = re.compile(r"[\d.]+(?= s\b)")
_SESSION = Path(__file__).parent / "session.py"
# Commands that this process can run itself, without a shell.
_ONLY_CODEGEN = re.compile(r"(codegen [\w ./-]+(#.*)?\n)+")
ROOT = Path(__file__).parents[2]


@cache
def _compilation_cache() -> dict[str, str]:
    """Return the environment in which all pages share what JAX compiles."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return compilation_cache(Path(folder.name))


@cache
def _sessions() -> subprocess.Popen[str]:
    """Start the process that runs Python blocks; it ends with this one."""
    server = subprocess.Popen(
        [sys.executable, "-W", "error", str(_SESSION)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"XLA_FLAGS": COMPILED_QUICKLY, **_compilation_cache()},
        text=True,
    )
    atexit.register(server.communicate)
    return server


class Reader:
    """A reader who follows a page."""

    def __init__(self, name: str, folder: Path, path: Path | None) -> None:
        self.name = name
        self.folder = folder  # the working directory of the shell
        self.session: list[tuple[str, int, str, str | None]] = []
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(folder.parent / "cache"),
            "XLA_FLAGS": COMPILED_QUICKLY,
            **_compilation_cache(),
        }
        self.path = [] if path is None else [str(path)]
        if path is not None:
            self.environment["PYTHONPATH"] = str(path)

    def shell(self, block: Block, output: str | None) -> None:
        """Run the commands; the next block runs in the folder where they end."""
        self.finish()
        expected = _STATUS.search(block.text)
        is_simple = _ONLY_CODEGEN.fullmatch(block.text) is not None
        status, printed = (self._codegen if is_simple else self._bash)(block.text)
        where = f"{self.name}:{block.line}: "
        assert status == int(expected[1] if expected else 0), where + printed
        if output is not None:
            same = matches(_SECONDS.sub("0", output), _SECONDS.sub("0", printed))
            assert same, f"{where}it shows\n{printed}\nnot\n{output}"

    def _codegen(self, commands: str) -> tuple[int, str]:
        """Run commands of `codegen` until one fails; return its status and what all printed."""
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        status = 0
        with (
            chdir(self.folder),
            mock.patch.dict(os.environ, self.environment, clear=True),
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            for command in commands.splitlines():
                status = status or main(shlex.split(command, comments=True)[1:])
        printed.seek(0)
        return status, printed.read()

    def _bash(self, commands: str) -> tuple[int, str]:
        script = f"trap 'pwd >&3' EXIT\nset -eu\n{commands}"
        read, write = os.pipe()
        with os.fdopen(read) as told:
            done = subprocess.run(
                ["bash", "-c", f"exec 3>&{write}\n{script}"],
                cwd=self.folder,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                pass_fds=(write,),
            )
            os.close(write)
            self.folder = Path(told.read().strip())
        return done.returncode, done.stdout

    def write(self, block: Block) -> None:
        """Write the file that the block defines."""
        assert block.file is not None
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if block.continues else ""
        added = block.text.partition("\n")[2] if block.continues else block.text
        path.write_text(before + added, encoding="utf-8")

    def compare(self, block: Block, file: str) -> None:
        """Check that the file contains these lines consecutively."""
        self.finish()
        path = self.folder / file
        text = (path if path.exists() else ROOT / file).read_text(encoding="utf-8")
        where = f"{self.name}:{block.line}: "
        assert f"\n{block.text}" in f"\n{text}", f"{where}{file} does not read so:\n{text}"

    def do(self, found: list[Block]) -> None:
        """Run, write and compare the blocks in order."""
        for block, following in itertools.zip_longest(found, found[1:]):
            is_output = following is not None and following.language == "text" and following.is_run
            output = following.text if is_output else None
            if not block.is_run or block.language == "text":
                continue
            if block.excerpt_of is not None:
                self.compare(block, block.excerpt_of)
            elif block.file is not None:
                self.write(block)
            elif block.language == "sh":
                self.shell(block, output)
            else:
                where = f"{self.name}:{block.line}"
                assert block.language == "python", f"{where}: cannot run {block.language}"
                self.session.append((self.name, block.line, block.text, output))
        self.finish()

    def finish(self) -> None:
        """Run the Python blocks collected so far."""
        if not self.session:
            return
        server = _sessions()
        assert server.stdin is not None
        assert server.stdout is not None
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as printed:
            request = {
                "blocks": self.session,
                "folder": str(self.folder),
                "environment": self.environment,
                "path": self.path,
                "output": printed.name,
            }
            server.stdin.write(f"{json.dumps(request)}\n")
            server.stdin.flush()
            self.session = []
            assert server.stdout.readline() == "0\n", printed.read()


def follow(name: str, page: str, folder: Path, path: Path | None = None) -> None:
    """Follow a page from top to bottom, in a new folder.

    Its imports may also be in `path`.
    """
    folder.mkdir()
    Reader(name, folder, path).do(blocks(page))
