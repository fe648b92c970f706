"""The file system: where systems differ, symbolic links, and reading without being led elsewhere."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator

_IS_WINDOWS = os.name == "nt"
# Where it is shorter, it may grow by the name of a temporary file.
_CHARACTERS_MAX = 200
# Together a second: for so long an editor or a virus scanner may have a file open.
_WAITS_S = tuple(0.01 * 1.5**n for n in range(10)) if _IS_WINDOWS else ()


def flags(*names: str) -> int:
    """Those of these flags of `os.open` that the system has; bytes are bytes on all of them."""
    found = 0
    for name in (*names, "O_BINARY", "O_NOINHERIT", "O_CLOEXEC"):
        found |= getattr(os, name, 0)
    return found


def native(folder: str, path: str) -> str:
    r"""A path below a folder, with "/" between its parts, as the system takes it.

    native("generated", "plants/boiler.py")    # "generated/plants/boiler.py"
    # on Windows, where it is long: "\\?\C:\far\down\generated\plants\boiler.py"
    """
    whole = os.path.join(folder, *path.split("/"))
    if not _IS_WINDOWS or len(os.path.abspath(whole)) < _CHARACTERS_MAX:
        return whole
    return f"\\\\?\\{os.path.abspath(whole)}"


def is_link(path: str) -> bool:
    """Whether a path is a symbolic link, or a junction of Windows."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    # A tag that says that it stands for another folder; other systems have none.
    is_junction = getattr(found, "st_reparse_tag", 0) == 0xA0000003
    return stat.S_ISLNK(found.st_mode) or is_junction


def replace(source: str, target: str) -> None:
    """Put a file in the place of another.

    Raises:
        OSError: where that cannot be done; on Windows, where it is open elsewhere for long.
    """
    _insist(lambda: os.replace(source, target))


def remove(path: str) -> None:
    """Remove a file.

    Raises:
        OSError: where that cannot be done; on Windows, where it is open elsewhere for long.
    """
    _insist(lambda: os.unlink(path))


def _insist(action: Callable[[], None]) -> None:
    for wait_s in _WAITS_S:
        try:
            return action()
        except PermissionError:
            time.sleep(wait_s)
    return action()


def way_out(path: str, base: str) -> str | None:
    """The first link on the way to a path that leads out of the folder `base`, if one does.

    way_out("generated", ".")           # "generated", where that is a link to "../victim"
    is_reached("setup.cfg", "demo")     # whether demo/setup.cfg is a link, or lies behind one
    """
    for link in _links(path):
        if lies_in(os.path.dirname(link) or os.curdir, base) and not lies_in(link, base):
            return link
    return None


def is_reached(path: str, base: str) -> bool:
    """Whether a path below the folder `base` is a link, or leads through one."""
    return any(_links(path, base))


def lies_in(path: str, base: str) -> bool:
    """Whether a path is the folder `base` or lies in it, wherever links lead."""
    real, real_base = (os.path.normcase(os.path.realpath(one)) for one in (path, base))
    try:
        return os.path.commonpath([real, real_base]) == real_base
    except ValueError:  # two drives of Windows
        return False


def _links(path: str, start: str = "") -> Iterator[str]:
    drive, path = os.path.splitdrive(path.replace("/", os.sep))
    way = start or (drive + os.sep if os.path.isabs(drive + path) else drive)
    for part in filter(None, path.split(os.sep)):
        way = os.path.join(way, part)
        if is_link(way):
            yield way


def regular(path: str, bytes_max: int = -1) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: where it cannot be read, is a symbolic link (ELOOP), or is something else
            than a regular file (EINVAL): opening a pipe would wait for a writer.

    regular("generated/heat.py")            # b"# Code generated ..."; never through a link
    regular("schemas/heat.pyi", 1_048_577)  # no more bytes than that
    """
    if not hasattr(os, "O_NOFOLLOW") and is_link(path):
        raise OSError(errno.ELOOP, "is a symbolic link", path)
    descriptor = os.open(path, flags("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK"))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "is not a regular file", path)
        try:
            return file.read(bytes_max)
        except OSError as error:
            error.filename = path
            raise


def python_source(module: str, base: str) -> str | None:
    """The source of a Python module, "heat.models", without importing it; None where it cannot be read.

    The module may lie in the folder `base`, or in `src` there.
    """
    path = os.path.join(*module.split("."))
    for root in (base, os.path.join(base, "src")):
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            try:
                return regular(os.path.join(root, file)).decode("utf-8-sig")
            except (OSError, ValueError):
                continue
    return None
