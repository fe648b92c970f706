"""A lock that lets only one build at a time work in an output folder.

    with locked("generated", print):
        ...  # another build of the same folder waits here, and says so after a second

The lock is on the folder itself, not on a file in it. So it leaves no file, and it is the same for
every user and every name of the folder. It is released when the process ends for any reason.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

_TRIES = 20  # before a build says that it waits
_PAUSE_S = 0.05


@contextmanager
def locked(out: str, say: Callable[[str], None]) -> Generator[bool, None, None]:
    """Create the folder `out` if it is missing, and lock it; yield whether the lock is held.

    If another process holds the lock for a second, `say` gets one line about it.

    A file system may not support locks on folders (NFS). The build then goes on without a lock.
    Each file is still replaced atomically by one of its writers. Only the temporary files that
    killed builds left are not removed.

    Raises:
        OSError: if `out` cannot be created or is not a folder.
    """
    created = _missing(out)
    descriptor, is_held = _lock(out, say)
    try:
        yield is_held
    finally:
        # Still under the lock: a failed build removes the folders that it created. A build that
        # waits for the lock on a removed folder notices this, and creates the folder again.
        for folder in reversed(created):
            with suppress(OSError):  # something is in it
                os.rmdir(folder)
        os.close(descriptor)


def _missing(out: str) -> list[str]:
    """Return the missing folders on the path to `out`, with `out`, outermost first."""
    missing: list[str] = []
    folder = os.path.abspath(out)
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise OSError(errno.ENOTDIR, "is not a folder", folder)
    return missing[::-1]


def _lock(out: str, say: Callable[[str], None]) -> tuple[int, bool]:
    while True:
        for folder in (*_missing(os.path.dirname(os.path.abspath(out))), out):
            try:
                os.mkdir(folder)
            except FileExistsError:
                continue  # another build was faster
        descriptor = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _wait_for(descriptor, out, say)
        except OSError:
            return descriptor, False
        if _is_there(descriptor, out):
            return descriptor, True
        os.close(descriptor)


def _wait_for(descriptor: int, out: str, say: Callable[[str], None]) -> None:
    """Lock an open folder as soon as no other process has a lock on it.

    Raises:
        OSError: if the file system has no such locks.
    """
    for _ in range(_TRIES):
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE_S)
    say(f"another build of `{out}` is running: waiting until it ends")
    return fcntl.flock(descriptor, fcntl.LOCK_EX)


def _is_there(descriptor: int, out: str) -> bool:
    """Return whether the open folder still exists under its name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(out))
    except FileNotFoundError:
        return False
