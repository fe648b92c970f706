"""Do the same to many parts, on all cores where that pays.

parallel_map("rendering", print_module, modules)    ->    [print_module(module) for module in modules]

The other processes get the parts and the function by a fork, so neither is sent. Results come back
through a pipe for each process. The executors of the standard library are not used: if the waiting
process is killed, theirs wait forever, with the lock that they inherited. Without a usable fork one
process does everything, with the same result. Two cores build 1000 classes about 1.5 times as fast.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO, TypeAlias, TypeVar

T = TypeVar("T")
Listener: TypeAlias = Callable[[str, int, int], None]
"""Takes what is done, how many parts of it are, and how many there are."""

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Generator[None, None, None]:
    """Tell `listener` of every step below.

    with listening(print):
        for module in steps("reading", modules):  # prints: reading 0 100, reading 1 100, ...
            ...
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.pop()


def steps(what: str, parts: Sequence[T]) -> Iterator[T]:
    """Yield the parts one by one, and tell of each that it is about to be done."""
    for done, part in enumerate(parts):
        for listener in _listeners:
            listener(what, done, len(parts))
        yield part


R = TypeVar("R")

# Fewer parts than these are done before another process has started.
_PARTS_MIN = 8


def parallel_map(
    what: str,
    function: Callable[[T], R],
    parts: Sequence[T],
    prepare: Callable[[], object] | None = None,
) -> list[R]:
    """Return what the function makes of each part, in their order.

    Args:
        what: what it does, for whoever listens to the steps
        function: made of anything, as it is not sent; its results are
        parts: what it takes, one at a time
        prepare: loads what every process would have to load otherwise

    Raises:
        ChildProcessError: where one of the processes was killed.
    """
    workers = min(_cores(), len(parts) * 2 // _PARTS_MIN)
    if workers < 2 or not _is_alone():
        return [function(part) for part in steps(what, parts)]
    if prepare is not None:
        prepare()
    with _started(workers, function, parts) as pipes:
        return [_received(pipes[at % workers]) for at, _ in enumerate(steps(what, parts))]


@contextmanager
def _started(
    workers: int, function: Callable[[T], R], parts: Sequence[T]
) -> Generator[list[BinaryIO], None, None]:
    """Start the processes, each with its share of the parts; they end with this block."""
    pipes: list[BinaryIO] = []
    processes: list[int] = []
    with ExitStack() as opened:
        try:
            for first in range(workers):
                ours, theirs = os.pipe()
                pipes.append(opened.enter_context(open(ours, "rb")))
                # Held by that process alone, so that the pipe ends with it.
                with open(theirs, "wb") as pipe:
                    process = os.fork()
                    if process == 0:
                        try:
                            _do(function, parts[first::workers], pipe)
                        finally:
                            os._exit(0)
                    processes.append(process)
            yield pipes
        finally:
            for process in processes:
                os.kill(process, signal.SIGKILL)
            for process in processes:
                os.waitpid(process, 0)


def _received(pipe: BinaryIO) -> Any:
    """What a process made of its next part."""
    try:
        result, error = pickle.load(pipe)  # noqa: S301 -- a process of ours wrote it
    except (EOFError, pickle.UnpicklingError) as ended:
        raise ChildProcessError(
            "a process of the build was ended from outside, as the system does where memory is "
            "short; nothing was written"
        ) from ended
    if error is not None:
        raise error
    return result


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _is_alone() -> bool:
    """Say whether this process has one thread, of Python's or of any library's."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _do(function: Callable[[Any], Any], parts: Sequence[Any], pipe: BinaryIO) -> None:
    """Make what is to be made of each part, and send it."""
    # What the other process has is no garbage here, and would be copied where it is looked through.
    gc.freeze()
    # What goes wrong with a part is sent, and said there; this process has nothing to say, not even
    # that nobody takes its results, when the one that waits was killed.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    # Ctrl-C is for the process that waits, which ends these.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for part in parts:
        try:
            made = pickle.dumps((function(part), None))
        except Exception as error:  # noqa: BLE001 -- it is raised where the result is waited for
            error.add_note(traceback.format_exc())
            made = pickle.dumps((None, error))
        pipe.write(made)
        pipe.flush()
