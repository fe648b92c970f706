"""Let one build at a time work in an output folder.

    with locked("generated"):
        ...  # another build of the same folder waits here

The lock is on the folder itself, not on a file in it: it leaves nothing behind, is the same for
every user and every way to name the folder, and ends with the process, however that ends. Windows
opens no folder, so there it is on a file in the user's cache folder.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress

from codegen.output import stamp
from codegen.output.system import flags


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
        if descriptor is not None:
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


def _lock(out: str) -> tuple[int | None, bool]:
    # Loaded where something is written: it listens to what Python audits, which slows all of that.
    from filelock import lock_descriptor  # noqa: PLC0415

    while True:
        for folder in (*_missing(os.path.dirname(os.path.abspath(out))), out):
            try:
                os.mkdir(folder)
            except FileExistsError:
                continue  # another build was faster
        descriptor = _opened(out)
        try:
            is_held = descriptor is not None and lock_descriptor(descriptor)
        except OSError:
            is_held = False
        if descriptor is None or not is_held or _is_there(descriptor, out):
            return descriptor, is_held
        os.close(descriptor)


def _opened(out: str) -> int | None:
    """What the lock is on; None where it cannot be had."""
    if hasattr(os, "O_DIRECTORY"):
        return os.open(out, flags("O_RDONLY", "O_DIRECTORY"))
    place = stamp.place_of(out, out)
    if place is None:
        return None
    with suppress(OSError):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        return os.open(f"{place}.lock", flags("O_RDWR", "O_CREAT"), 0o600)
    return None


def _is_there(descriptor: int, out: str) -> bool:
    """Whether the folder is there still, and the one that was opened, where a folder was."""
    try:
        found = os.stat(out)
    except FileNotFoundError:
        return False
    return not hasattr(os, "O_DIRECTORY") or os.path.samestat(os.fstat(descriptor), found)
