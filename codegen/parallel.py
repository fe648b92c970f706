"""Do the same to many parts, on all cores where that pays.

spread("rendering", print_module, modules)    ->    [print_module(module) for module in modules]

The parts and the function reach the other processes by a fork, so that neither has to be sent; what
the function returns is. Where a system has no fork, or one that its libraries do not survive, one
process does it all, with the same result.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from codegen.progress import steps

T = TypeVar("T")
R = TypeVar("R")

# Fewer parts than these are done before another process has started.
_PARTS_MIN = 8

# What a forked process does, to which parts.
_job: tuple[Callable[[Any], Any], Sequence[Any]] | None = None


def spread(
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
    """
    workers = min(_cores(), len(parts) * 2 // _PARTS_MIN)
    if workers < 2 or not _is_alone():
        return [function(part) for part in steps(what, parts)]
    # A build with little to do is done before it would be loaded.
    import multiprocessing  # noqa: PLC0415

    if prepare is not None:
        prepare()
    context = multiprocessing.get_context("fork")
    # Several pieces for each, as some parts are larger than others.
    size = max(1, len(parts) // (workers * 8))
    with context.Pool(workers, _begin, (function, parts)) as pool:
        done = pool.imap(_do, range(len(parts)), size)
        return [next(done) for _ in steps(what, parts)]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _is_alone() -> bool:
    """Say whether this process has one thread, of Python's or of any library's."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def _begin(function: Callable[[Any], Any], parts: Sequence[Any]) -> None:
    import signal  # noqa: PLC0415

    # What goes wrong with a part is sent, and said there; this process has nothing to say, not even
    # that nobody takes its results, when the one that waits was killed.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    global _job  # noqa: PLW0603  A process of a pool keeps its job nowhere else.
    _job = function, parts
    # Ctrl-C is for the process that waits, which ends these.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _do(index: int) -> Any:
    assert _job is not None, "the pool has begun"
    function, parts = _job
    return function(parts[index])
