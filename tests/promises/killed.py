"""Kill a command before one of its calls that change the disk.

kill(project, 0, "build")    # not killed: Calls(total=12, replacing=(7, 9))
kill(project, 7, "build")    # killed before it replaces the first file
"""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

from tests.promises.project import Project

# This runs the command, and kills it before the call number `moment` that changes the disk. At the
# end it prints the number of such calls, and the numbers of those that replace a file.
_KILLED = """
import itertools, os, signal, sys
from codegen.cli.main import main
moment, calls, replacing = int(sys.argv[1]), itertools.count(1), []
def counted(call):
    def counting(*arguments, **keywords):
        # Threads call `fsync`, so a call is counted in one step.
        number = next(calls) if call is not opened or arguments[1] & os.O_CREAT else 0
        if call is replaced:
            replacing.append(number)
        if number == moment > 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **keywords)
    return counting
opened, replaced = os.open, os.replace
for name in ("open", "fsync", "replace", "unlink", "rmdir", "mkdir"):
    setattr(os, name, counted(getattr(os, name)))
status = main(["-q", *sys.argv[2:]])
print()
print(next(calls) - 1, *replacing)
sys.exit(status)
"""


class Calls(NamedTuple):
    """The calls of a command that change the disk."""

    total: int
    replacing: tuple[int, ...]
    """The numbers of those that replace a file, from 1."""


def kill(project: Project, moment: int, *words: str) -> Calls:
    """Run a command, which is killed before this call; 0 lets it end, and returns its calls."""
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(moment), *words],
        cwd=project.folder,
        env=project.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (-9 if moment else 0), done.stderr
    if moment:
        return Calls(0, ())
    total, *replacing = map(int, done.stdout.splitlines()[-1].split())
    return Calls(total, tuple(replacing))
