"""Work distributed over processes gives the same as in one process."""

import subprocess
import sys

from codegen import parallel

# In a separate process, because the test process has threads.
PROGRAM = """
import os
from codegen import parallel
from codegen.parallel import listening

parallel._cores = lambda: 3
told = []

def work(part):
    assert part != LAST, "no such part"
    return part, os.getpid()

LAST = {last}
with listening(lambda *step: told.append(step)):
    done = parallel.parallel_map("working", work, range(40))
assert [part for part, _ in done] == [*range(40)]
assert (os.getpid() in {{pid for _, pid in done}}) is {here}
assert told == [("working", n, 40) for n in range(40)]
"""


def run_program(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_work_runs_in_several_processes() -> None:
    forks = sys.platform == "linux"
    done = run_program(PROGRAM.format(last=-1, here=not forks))
    assert done.returncode == 0, done.stderr


def test_process_with_threads_does_all_work_itself() -> None:
    thread = "import threading as t; t.Thread(target=t.Event().wait, daemon=True).start()\n"
    done = run_program(thread + PROGRAM.format(last=-1, here=True))
    assert done.returncode == 0, done.stderr


def test_error_in_a_worker_is_raised_in_the_caller() -> None:
    done = run_program(PROGRAM.format(last=17, here=False))
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("AssertionError: no such part")


def test_few_parts_run_in_the_caller() -> None:
    assert parallel.parallel_map("working", str, [1, 2]) == ["1", "2"]


def test_killed_worker_is_an_error() -> None:
    """The system kills processes if memory is short."""
    killed = PROGRAM.replace("assert part != LAST", "assert part != 17 or os.kill(os.getpid(), 9)")
    done = run_program(killed.format(last=-1, here=False))
    assert done.returncode == 1
    assert "ChildProcessError: a process of the build was killed" in done.stderr
