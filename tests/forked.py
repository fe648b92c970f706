"""Run programs that import JAX, in forks of a process that has imported it.

    run("-c", "import jax; print(jax.__version__)", cwd=tmp_path).stdout    ->    "0.10.2\\n"

The arguments are those of `python`: `-B` and `-W error`, then `-c CODE`, `-m MODULE` or a file, then the
arguments of the program. The import of JAX takes most of the time of a short program. A program that
needs another hash seed, or that sets variables that JAX reads when it is imported, needs its own process.

The server reads one request a line, and prints the exit status of each program.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
import traceback
import types
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn


@functools.cache
def _server() -> subprocess.Popen[str]:
    """Start the server; it ends with this process."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    server = subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def run(
    *arguments: str,
    cwd: Path | None = None,
    check: bool = True,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with the current environment and the variables of `env`."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with (
        tempfile.NamedTemporaryFile("r", encoding="utf-8") as out,
        tempfile.NamedTemporaryFile("r", encoding="utf-8") as err,
    ):
        request = {
            "arguments": arguments,
            "folder": str(cwd or Path.cwd()),
            "environment": os.environ | dict(env or {}),
            "files": [os.devnull, out.name, err.name],
        }
        server.stdin.write(f"{json.dumps(request)}\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        done = subprocess.CompletedProcess(arguments, status, out.read(), err.read())
    assert status == 0 or not check, done.stderr
    return done


# --- the server


def _serve() -> None:
    import jax.numpy  # noqa: F401

    gc.freeze()  # Otherwise, a collection in a fork copies the memory of all objects.
    for line in sys.stdin:
        with warnings.catch_warnings():
            # JAX warns of forks because of its threads. It starts them with its first program.
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            _answer(**json.loads(line))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


def _answer(
    arguments: list[str], folder: str, environment: dict[str, str], files: list[str]
) -> NoReturn:
    """Run a program as Python does, and end this process."""
    for number, file in enumerate(files):
        os.dup2(os.open(file, os.O_RDWR), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    while arguments[0] in ("-B", "-W"):
        if arguments.pop(0) == "-W":
            sys.warnoptions.append(arguments[0])
            warnings.simplefilter(arguments.pop(0))  # type: ignore[arg-type]
        else:
            sys.dont_write_bytecode = True
    status = _status(arguments)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    # Python would take longer to free all objects of JAX than most programs take.
    os._exit(status)


def _status(arguments: list[str]) -> int:
    try:
        _run(arguments)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException as error:  # noqa: BLE001
        lines = error.__traceback__
        while lines and lines.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
            lines = lines.tb_next
        traceback.print_exception(error.with_traceback(lines))
        return 1
    return 0


def _run(arguments: list[str]) -> None:
    path = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.argv[:] = arguments
    if arguments[0] == "-m":
        sys.path[:1] = [os.getcwd(), *path]
        del sys.argv[0]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    if arguments[0] == "-c":
        sys.path[:1] = ["", *path]
        name, code = "<string>", sys.argv.pop(1).encode()
    else:
        name = main.__file__ = os.path.join(os.getcwd(), arguments[0])
        sys.path[:1] = [os.path.dirname(os.path.realpath(name)), *path]
        code = Path(name).read_bytes()
    exec(compile(code, name, "exec", dont_inherit=True), vars(main))


if __name__ == "__main__":
    _serve()
