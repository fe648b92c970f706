"""Kill `codegen adopt --rewrite` at random calls that change the disk, and run it again.

    $ python -m tests.promises.killed_adopt 60 30
    60 modules, 744 calls, killed at 30 of them: 11 times some sources were old and some new, and each next run finished

Every schema and source must be old or new after the kill. After the next run, all files must be as after a
run that was not killed. Runs are forks, so that codegen is imported once.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codegen.cli.main import main
from tests.promises.project import texts

_COMMAND = [
    *("adopt", "parts", "--schemas", "schemas", "--out", "parts/_generated"),
    *("--rewrite", "--no-import"),
]
_CHANGING = ("open", "fsync", "replace", "unlink", "rmdir", "mkdir")
# Each class has a field with the class of the module before it. If only some modules were rewritten,
# the others would get other types.
_MODULE = '''"""Part {number}."""

import jax
from flax import struct
{imports}

@struct.dataclass
class Part{number}:
    """A part."""

    u: jax.Array{fields}

    def twice(self):
        return 2 * self.u
'''


def write_package(folder: Path, modules: int) -> None:
    """Write a package of modules with one class each."""
    parts = folder / "parts"
    parts.mkdir(parents=True)
    (parts / "__init__.py").touch()
    for number in range(modules):
        other = f"Part{number - 1}" if number else ""
        text = _MODULE.format(
            number=number,
            imports=f"\nfrom parts.part{number - 1} import {other}\n" if other else "",
            fields=f"\n    inner: {other} | None = None" if other else "",
        )
        (parts / f"part{number}.py").write_text(text, encoding="utf-8")


def _adopt(folder: Path, moment: int) -> int:
    """Adopt the package in a fork that is killed before a call; return its number of calls."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        calls = itertools.count(1)
        opened = os.open

        def counted(call: Callable[..., Any]) -> Callable[..., Any]:
            def counting(*arguments: Any, **keywords: Any) -> Any:
                is_counted = call is not opened or arguments[1] & os.O_CREAT
                if is_counted and next(calls) == moment:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*arguments, **keywords)

            return counting

        for name in _CHANGING:
            setattr(os, name, counted(getattr(os, name)))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = main(["-q", *_COMMAND])
        os.write(write, str(next(calls) - 1).encode())
        os._exit(status)
    os.close(write)
    _, status = os.waitpid(child, 0)
    with open(read, encoding="ascii") as pipe:
        said = pipe.read()
    assert status == (signal.SIGKILL if moment else 0), f"the run ended with {status}"
    return int(said or 0)


def check(folder: Path, modules: int, kills: int) -> tuple[int, int]:
    """Return the number of calls of a run, and of kills after which some sources were old and some new."""
    write_package(folder / "old", modules)
    old = texts(folder / "old")
    shutil.copytree(folder / "old", folder / "new")
    with contextlib.chdir(folder / "old"), contextlib.redirect_stdout(io.StringIO()):
        main([*_COMMAND, "--dry-run"])  # forks then have compiled templates
    calls = _adopt(folder / "new", 0)
    new = texts(folder / "new")
    chance, mixed = random.Random(0), 0
    # One is among the last calls, which write the sources.
    for moment in sorted([*chance.sample(range(1, calls), kills - 1), calls - modules]):
        shutil.rmtree(folder / "killed", ignore_errors=True)
        shutil.copytree(folder / "old", folder / "killed")
        _adopt(folder / "killed", moment)
        left = texts(folder / "killed")
        written = {name for name in left if name.endswith((".py", ".pyi"))}
        assert all(left[name] in (old.get(name), new.get(name)) for name in written)
        mixed += 0 < sum(left[name] != old[name] for name in old) < modules
        _adopt(folder / "killed", 0)
        assert texts(folder / "killed") == new, f"differs after a kill at call {moment}"
    return calls, mixed


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        modules, kills = int(sys.argv[1]), int(sys.argv[2])
        calls, mixed = check(Path(name), modules, kills)
        sys.stdout.write(
            f"{modules} modules, {calls} calls, killed at {kills} of them: {mixed} times some sources "
            "were old and some new, and each next run finished\n"
        )
