"""Work that is spread over processes, beside the same work in one."""

import subprocess
import sys

from codegen import parallel

# In a process of its own, as that of the tests has threads.
PROGRAM = """
import os
from codegen import parallel
from codegen.parallel import listening

parallel._cores = lambda: 3
told = []
prepared = []

def work(part):
    assert part != LAST, "no such part"
    return part, os.getpid()

LAST = {last}
with listening(lambda *step: told.append(step)):
    done = parallel.parallel_map("working", work, range(40), lambda: prepared.append(1))
assert [part for part, _ in done] == [*range(40)]
assert (os.getpid() in {{pid for _, pid in done}}) is {here}
assert told == [("working", n, 40) for n in range(40)]
assert len(prepared) == {prepared}
"""


def ran(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_spread_over_processes() -> None:
    forks = sys.platform == "linux"
    done = ran(PROGRAM.format(last=-1, here=not forks, prepared=int(forks)))
    assert done.returncode == 0, done.stderr


def test_with_threads_one_process_does_it_all() -> None:
    thread = "import threading as t; t.Thread(target=t.Event().wait, daemon=True).start()\n"
    done = ran(thread + PROGRAM.format(last=-1, here=True, prepared=0))
    assert done.returncode == 0, done.stderr


def test_what_is_raised_is_raised_here() -> None:
    done = ran(PROGRAM.format(last=17, here=False, prepared=1))
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("AssertionError: no such part")


def test_few_parts_are_done_here() -> None:
    assert parallel.parallel_map("working", str, [1, 2]) == ["1", "2"]


def test_a_process_that_is_killed_ends_the_work() -> None:
    """As the system does where memory is short."""
    killed = PROGRAM.replace("assert part != LAST", "assert part != 17 or os.kill(os.getpid(), 9)")
    done = ran(killed.format(last=-1, here=False, prepared=1))
    assert done.returncode == 1
    assert "ChildProcessError: a process of the build was ended from outside" in done.stderr
