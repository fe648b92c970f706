"""Run programs in the user's interpreter, each in its own process: a separate program.

stdin:   the path of a program, one per line
stdout:  for each of them, the exit status; its output is in PATH.out and PATH.err

It imports nothing of codegen. JAX is imported once, and each program runs in a fork. On Windows, which
has no fork, each program is a new process.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import time
import traceback

_WAIT_S = 0.01
_TIMED_OUT = 124
_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.sendto")


def main(seconds: float) -> None:
    """Run the programs that standard input names."""
    if hasattr(os, "fork"):
        import jax.numpy  # noqa: F401, PLC0415 -- forks share the imported modules
    for line in sys.stdin:
        status = (
            _fork(line.strip(), seconds) if hasattr(os, "fork") else _spawn(line.strip(), seconds)
        )
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


def run(path: str) -> int:
    """Run a program without network; return its exit status."""
    sys.addaudithook(_refuse_network)
    try:
        runpy.run_path(path, run_name="__main__")
    except BaseException:  # noqa: BLE001 -- also an exit
        traceback.print_exc()
        return 1
    return 0


def _refuse_network(event: str, _: object) -> None:
    if event in _NETWORK:
        raise OSError("programs of `codegen adopt --prove` have no network")


def _fork(path: str, seconds: float) -> int:
    child = os.fork()
    if child == 0:
        for stream, suffix in ((1, ".out"), (2, ".err")):
            os.dup2(os.open(path + suffix, os.O_WRONLY | os.O_CREAT), stream)
        os.chdir(os.path.dirname(path))
        status = run(path)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_WAIT_S)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return _TIMED_OUT


def _spawn(path: str, seconds: float) -> int:
    with open(path + ".out", "wb") as out, open(path + ".err", "wb") as err:
        try:
            return subprocess.run(  # noqa: S603 -- it runs the user's classes
                [sys.executable, "-W", "ignore", __file__, "0", path],
                stdout=out,
                stderr=err,
                timeout=seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return _TIMED_OUT


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(run(sys.argv[2]))
    main(float(sys.argv[1]))
