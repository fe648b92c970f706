"""Run programs in the user's interpreter, each in its own process: a separate program.

stdin:   the path of a program, one per line
stdout:  for each of them, the exit status; its output is in PATH.out and PATH.err

It imports nothing of codegen. JAX and the modules of the programs are imported once, and each program
runs in a fork. Modules that start JAX or threads are not imported before a fork. On Windows, which has no
fork, each program is a new process.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
import traceback

_WAIT_S = 0.01
_TIMED_OUT = 124
_RUN = "run"
_IMPORTS_NOTHING = "CODEGEN_PROVE_IMPORTS_NOTHING"
_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.sendto")


def main(seconds: str, waiting: list[str]) -> None:
    """Run the programs that standard input names, after those that are waiting."""
    answers = os.dup(1)  # programs and their modules print to other files
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in itertools.chain(waiting, sys.stdin):
        path = line.strip()
        if hasattr(os, "fork"):
            if not _import_modules(path, float(seconds)):
                os.dup2(answers, 1)
                command = [sys.executable, "-W", "ignore", "-P", __file__, seconds, path]
                os.execv(sys.executable, command)  # noqa: S606 -- it has no shell
            status = _fork(path, float(seconds))
        else:
            status = _spawn(path, float(seconds))
        os.write(answers, b"%d\n" % status)


def _import_modules(path: str, seconds: float) -> bool:
    """Import the modules of a program, which its fork then shares.

    Return False if that starts JAX or threads: a new process must then import nothing.
    """
    from jax._src import xla_bridge  # noqa: PLC0415 -- only where programs are forked

    with open(path, encoding="utf-8") as file:
        text = file.read()
    if os.environ.get(_IMPORTS_NOTHING) or "xla_bridge" in text:
        return True
    signal.signal(signal.SIGALRM, _stop_imports)
    signal.alarm(int(seconds))
    for name in re.findall(r"^import ([\w.]+)", text, re.MULTILINE):
        with contextlib.suppress(BaseException):  # the program reports it
            importlib.import_module(name)
    signal.alarm(0)
    if xla_bridge.backends_are_initialized() or threading.active_count() > 1:
        os.environ[_IMPORTS_NOTHING] = "1"
        return False
    return True


def _stop_imports(*_: object) -> None:
    raise TimeoutError


def run(path: str) -> int:
    """Run a program; return its exit status."""
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
                [sys.executable, "-W", "ignore", __file__, _RUN, path],
                stdout=out,
                stderr=err,
                timeout=seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return _TIMED_OUT


if __name__ == "__main__":
    sys.addaudithook(_refuse_network)  # forks inherit it
    if sys.argv[1] == _RUN:
        sys.exit(run(sys.argv[2]))
    main(sys.argv[1], sys.argv[2:])
