"""Symbolic links, reading files without following them, and names where case does not count."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from unicodedata import normalize


def folded(path: str) -> str:
    """Return what two paths share if file systems such as those of macOS take them for one.

    folded("Heat.py")    # "heat.py"
    """
    return normalize("NFKC", path).casefold()


def way_out(path: str, base: str) -> str | None:
    """Return the first link on a path that leads out of the folder `base`; None if there is none.

    way_out("generated", ".")           # "generated", if that is a link to "../victim"
    is_reached("setup.cfg", "demo")     # whether demo/setup.cfg is a link, or reached through one
    """
    for link in _links(path):
        if lies_in(os.path.dirname(link) or os.curdir, base) and not lies_in(link, base):
            return link
    return None


def is_reached(path: str, base: str) -> bool:
    """Return whether a path below the folder `base` is a link, or leads through one."""
    return any(_links(path, base))


def lies_in(path: str, base: str) -> bool:
    """Return whether a path, with all links resolved, is the folder `base` or is in it."""
    real_base = os.path.realpath(base)
    return os.path.commonpath([os.path.realpath(path), real_base]) == real_base


def _links(path: str, start: str = "") -> Iterator[str]:
    way = start or (os.sep if os.path.isabs(path) else "")
    for part in filter(None, path.split(os.sep)):
        way = os.path.join(way, part)
        if os.path.islink(way):
            yield way


def regular(path: str, bytes_max: int = -1) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        OSError: if it cannot be read, is a symbolic link (ELOOP), or is not a regular file
            (EINVAL): opening a pipe would wait for a writer.

    regular("generated/heat.py")            # b"# Code generated ..."; never through a link
    regular("schemas/heat.pyi", 1_048_577)  # no more bytes than that
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is not a regular file", path)
    with open(descriptor, "rb") as file:
        try:
            return file.read(bytes_max)
        except OSError as error:
            error.filename = path
            raise


def python_source(module: str, base: str) -> str | None:
    """Return the source of a Python module without importing it; None if it cannot be read.

    The module, such as "heat.models", may be in the folder `base`, or in `src` there.
    """
    path = os.path.join(*module.split("."))
    for root in (base, os.path.join(base, "src")):
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            try:
                return regular(os.path.join(root, file)).decode("utf-8-sig")
            except (OSError, ValueError):
                continue
    return None
