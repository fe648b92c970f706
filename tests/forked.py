"""Run programs that import JAX, in forks of a process that has imported it.

    run("-c", "import jax; print(jax.__version__)", cwd=tmp_path).stdout    ->    "0.10.2\\n"

The arguments are those of `python`: `-B`, `-P` and `-W error`, then `-c CODE`, `-m MODULE` or a file, then
the arguments of the program. The import of JAX takes most of the time of a short program. A program that
needs another hash seed, or that sets variables that JAX reads when it is imported, needs its own process.

`python(folder)` is the path of a program that does the same for its arguments, with its own streams.

The server receives a request with three open files over a socket, and answers with the exit status.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import tempfile
import threading
import types
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

_REQUEST_MAX = 1 << 20


@functools.cache
def _socket() -> str:
    """Start the server, which ends with this process; return the path of its socket."""
    path = os.path.join(tempfile.mkdtemp(), "socket")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    server = subprocess.Popen(
        [sys.executable, __file__, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    atexit.register(server.communicate)
    return path


def python(folder: Path) -> str:
    """Write a program that runs like Python, and has imported JAX; return its path."""
    program = folder / "python"
    command = f'exec "{sys.executable}" -S -E "{__file__}" "{_socket()}" "$@"'
    program.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def run(
    *arguments: str,
    cwd: Path | None = None,
    check: bool = True,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with the current environment and the variables of `env`."""
    environment = os.environ | dict(env or {})
    folder = str(cwd or Path.cwd())
    with (
        open(os.devnull, encoding="utf-8") as none,
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
    ):
        streams = [one.fileno() for one in (none, out, err)]
        status = _ask(_socket(), [*arguments], folder, environment, streams)
        out.seek(0)
        err.seek(0)
        done = subprocess.CompletedProcess(arguments, status, out.read(), err.read())
    assert status == 0 or not check, done.stderr
    return done


def _ask(
    path: str,
    arguments: list[str],
    folder: str,
    environment: Mapping[str, str],
    streams: list[int],
) -> int:
    """Run a program in the server with these streams; return its exit status."""
    request = {"arguments": arguments, "folder": folder, "environment": {**environment}}
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [json.dumps(request).encode()], streams)
        return int(connection.recv(10) or 1)


# --- the server


def _serve(path: str) -> None:
    """Import JAX, then run the programs of clients until standard input is closed."""
    import jax.numpy  # noqa: F401

    gc.freeze()  # Otherwise, a collection in a fork copies the memory of all objects.
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while sys.stdin not in select.select([sys.stdin, server], [], [])[0]:
            connection, _ = server.accept()
            with connection:
                data, streams, *_ = socket.recv_fds(connection, _REQUEST_MAX, 3)
                with warnings.catch_warnings():
                    # JAX warns of forks because of its threads. It starts them with its first program.
                    warnings.simplefilter("ignore")
                    child = os.fork()
                if child == 0:
                    _answer(**json.loads(data), streams=streams)
                for one in streams:
                    os.close(one)
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                connection.send(str(status).encode())


def _answer(
    arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]
) -> NoReturn:
    """Run a program as Python does, and end this process."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    is_safe = False
    while arguments[0] in ("-B", "-P", "-W"):
        option = arguments.pop(0)
        if option == "-W":
            sys.warnoptions.append(arguments[0])
            warnings.simplefilter(arguments.pop(0))  # type: ignore[arg-type]
        sys.dont_write_bytecode |= option == "-B"
        is_safe |= option == "-P"
    status = _status(arguments, is_safe=is_safe)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    # Python would take longer to free all objects of JAX than most programs take.
    os._exit(status)


def _status(arguments: list[str], *, is_safe: bool) -> int:
    try:
        _run(arguments, is_safe=is_safe)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException as error:  # noqa: BLE001
        lines = error.__traceback__
        while lines and lines.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
            lines = lines.tb_next
        sys.excepthook(type(error), error.with_traceback(lines), lines)
        return 1
    return 0


def _run(arguments: list[str], *, is_safe: bool) -> None:
    path = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    firsts = {"-c": "", "-m": os.getcwd()}
    first = firsts.get(arguments[0], os.path.dirname(os.path.realpath(arguments[0])))
    sys.path[:1] = path if is_safe else [first, *path]
    sys.argv[:] = arguments
    sys.modules.pop("sitecustomize", None)
    with contextlib.suppress(ImportError):
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    if arguments[0] == "-m":
        del sys.argv[0]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    if arguments[0] == "-c":
        name, code = "<string>", sys.argv.pop(1).encode()
    else:
        name = main.__file__ = os.path.join(os.getcwd(), arguments[0])
        code = Path(name).read_bytes()
    exec(compile(code, name, "exec", dont_inherit=True), vars(main))


if __name__ == "__main__":
    if sys.argv[2:]:
        sys.exit(_ask(sys.argv[1], sys.argv[2:], os.getcwd(), os.environ, [0, 1, 2]))
    _serve(sys.argv[1])
