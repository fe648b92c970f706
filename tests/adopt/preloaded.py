"""A Python that has imported JAX: a server that runs each command in a fork, and a client for it.

python preloaded.py SOCKET              the server
python preloaded.py SOCKET -m heat      the client: like `python -m heat`, without the import of JAX

Most of the time of a small program is the import of JAX. A fork starts as a new process does: with the
environment, folder and streams of the client, and with `sitecustomize`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import runpy
import socket
import sys

_MESSAGE_MAX = 1 << 20


def serve(path: str) -> None:
    """Import JAX, then run the commands of clients until standard input is closed."""
    import jax.numpy  # noqa: F401 -- the client does not import it

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            connection, _ = server.accept()
            with connection:
                data, streams, *_ = socket.recv_fds(connection, _MESSAGE_MAX, 3)
                child = os.fork()
                if child == 0:
                    _run(json.loads(data), streams)
                for one in streams:
                    os.close(one)
                _, status = os.waitpid(child, 0)
                connection.send(bytes([os.waitstatus_to_exitcode(status) & 255]))


def _run(request: dict[str, object], streams: list[int]) -> None:
    """Run a command as `python` would, and end the process."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    environment, words = request["environment"], request["words"]
    assert isinstance(environment, dict)
    assert isinstance(words, list)
    os.chdir(str(request["folder"]))
    os.environ.clear()
    os.environ.update(environment)
    inserted = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.path[:1] = ["", *inserted]
    sys.modules.pop("sitecustomize", None)
    status = 1
    try:
        with contextlib.suppress(ImportError):
            import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
        while words[0] in ("-W", "-P"):
            if words.pop(0) == "-P":
                del sys.path[0]
            else:
                del words[0]
        if words[0] == "-m":
            sys.argv = words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        elif words[0] == "-c":
            sys.argv = ["-c", *words[2:]]
            exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
        else:
            sys.argv = words
            sys.path[0] = os.path.dirname(words[0])
            runpy.run_path(words[0], run_name="__main__")
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 -- as Python does at the end of a program
        sys.excepthook(*sys.exc_info())
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def ask(path: str, words: list[str]) -> int:
    """Run a command in the server, and return its exit status."""
    request = {"environment": dict(os.environ), "words": words, "folder": os.getcwd()}
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
        return (connection.recv(1) or b"\1")[0]


if __name__ == "__main__":
    if sys.argv[2:]:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    serve(sys.argv[1])
