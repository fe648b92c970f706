"""Let one build at a time work in an output folder.

    with locked("generated"):
        ...  # another build of the same folder waits here

The lock is on the folder itself, not on a file in it: it leaves nothing behind, is the same for
every user and every way to name the folder, and ends with the process, however that ends.
"""

import errno
import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress


@contextmanager
def locked(out: str) -> Generator[bool, None, None]:
    """Make the folder `out` if it is missing, and hold its lock; `as` says whether it is held.

    A file system may know no locks on folders (NFS). The build goes on without: each file is
    replaced at once by one of its writers, and only what other builds left lying is not cleaned.

    Raises:
        OSError: where `out` cannot be made or is no folder.
    """
    made = _missing(out)
    descriptor, is_held = _lock(out)
    try:
        yield is_held
    finally:
        # Still under the lock: a build that failed takes the folders back that it made. One that
        # waits for the lock on a folder that is gone by then notices, and makes another.
        for folder in reversed(made):
            with suppress(OSError):  # something is in it
                os.rmdir(folder)
        os.close(descriptor)


def _missing(out: str) -> list[str]:
    """The folders that have to be made for `out` to be one, outermost first."""
    missing: list[str] = []
    folder = os.path.abspath(out)
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise OSError(errno.ENOTDIR, "is not a folder", folder)
    return missing[::-1]


def _lock(out: str) -> tuple[int, bool]:
    while True:
        for folder in (*_missing(os.path.dirname(os.path.abspath(out))), out):
            try:
                os.mkdir(folder)
            except FileExistsError:
                continue  # another build was faster
        descriptor = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            return descriptor, False
        if _is_same(descriptor, out):
            return descriptor, True
        os.close(descriptor)


def _is_same(descriptor: int, out: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(out))
    except FileNotFoundError:
        return False
