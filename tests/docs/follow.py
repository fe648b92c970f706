"""Follow a page in a separate folder, as a reader does.

follow("docs/tutorial.md", page, tmp_path / "reader")

A block whose first line is a comment with a path is that file. A `sh` block is run, and a `text` block directly after
it is its expected output. `python` blocks form one session, until a shell block may have changed the imported code. A
remark after the language excludes a block: `not run: ...`. An `excerpt of FILE` is a part of that file, in the
reader's folder or in the checkout.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from codegen.cli.main import main
from tests import forked
from tests.docs.blocks import Block, blocks
from tests.docs.session import matches
from tests.xla import COMPILED_QUICKLY

_STATUS = re.compile(r"# exit status (\d+)\s*$")
# Times depend on the machine of the author. Counts do not.
_SECONDS = re.compile(r"[\d.]+(?= s\b)")
# The widths of frames, and where their lines break, depend on the version of a library.
_FRAME = re.compile(r"[\s─│╭╮╰╯]+")
_SESSION = Path(__file__).parent / "session.py"
# Commands that this process can run itself, without a shell.
_ONLY_CODEGEN = re.compile(r"(codegen [\w ./-]+(#.*)?\n)+")
_ONLY_PYTHON = re.compile(r"python [\w ./-]+\n")
ROOT = Path(__file__).parents[2]


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
        }
        if path is not None:
            self.environment["PYTHONPATH"] = str(path)

    def shell(self, block: Block, output: str | None) -> None:
        """Run the commands; the next block runs in the folder where they end."""
        self.finish()
        expected = _STATUS.search(block.text)
        if _ONLY_CODEGEN.fullmatch(block.text):
            status, printed = self._codegen(block.text)
        elif _ONLY_PYTHON.fullmatch(block.text):
            status, printed = self._python(block.text)
        else:
            status, printed = self._bash(block.text)
        where = f"{self.name}:{block.line}: "
        assert status == int(expected[1] if expected else 0), where + printed
        if output is not None:
            assert _same(output, printed), f"{where}it shows\n{printed}\nnot\n{output}"

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

    def _python(self, command: str) -> tuple[int, str]:
        words = shlex.split(command)[1:]
        done = forked.run(*words, cwd=self.folder, check=False, env=self.environment)
        return done.returncode, done.stdout + done.stderr

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
        program = ("-W", "error", str(_SESSION), json.dumps(self.session))
        self.session = []
        forked.run(*program, cwd=self.folder, env=self.environment)


def _same(expected: str, printed: str) -> bool:
    """Return whether a command printed what the page shows, apart from times and frames."""
    texts = [_SECONDS.sub("0", one) for one in (expected, printed)]
    if "╭" in expected:
        texts = [_FRAME.sub(" ", one) for one in texts]
    return matches(*texts)


def follow(name: str, page: str, folder: Path, path: Path | None = None) -> None:
    """Follow a page from top to bottom, in a new folder.

    Its imports may also be in `path`.
    """
    folder.mkdir()
    Reader(name, folder, path).do(blocks(page))
