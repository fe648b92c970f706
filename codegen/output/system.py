"""The file system: differences between systems, symbolic links, and reading without links."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator

_IS_WINDOWS = os.name == "nt"
# Below the limit of Windows, because a temporary file may have a longer path.
_CHARACTERS_MAX = 200
# About a second in total: an editor or a virus scanner may keep a file open for that long.
_WAITS_S = tuple(0.01 * 1.5**n for n in range(10)) if _IS_WINDOWS else ()


def flags(*names: str) -> int:
    """Return those of these `os.open` flags that the system has, with binary mode on Windows."""
    combined = 0
    for name in (*names, "O_BINARY", "O_NOINHERIT", "O_CLOEXEC"):
        combined |= getattr(os, name, 0)
    return combined


def native(folder: str, path: str) -> str:
    r"""Return the system's form of a path below a folder, given with "/" between its parts.

    native("generated", "plants/boiler.py")    # "generated/plants/boiler.py"
    # on Windows, where it is long: "\\?\C:\far\down\generated\plants\boiler.py"
    """
    whole = os.path.join(folder, *path.split("/"))
    if not _IS_WINDOWS or len(os.path.abspath(whole)) < _CHARACTERS_MAX:
        return whole
    return f"\\\\?\\{os.path.abspath(whole)}"


def is_link(path: str) -> bool:
    """Return whether a path is a symbolic link, or a Windows junction."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    # The reparse tag of a junction, which only Windows has.
    is_junction = getattr(status, "st_reparse_tag", 0) == 0xA0000003
    return stat.S_ISLNK(status.st_mode) or is_junction


def replace(source: str, target: str) -> None:
    """Replace a file with another.

    Raises:
        OSError: if that fails; on Windows, if another program keeps the file open for long.
    """
    _insist(lambda: os.replace(source, target))


def remove(path: str) -> None:
    """Remove a file.

    Raises:
        OSError: if that fails; on Windows, if another program keeps the file open for long.
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
    real, real_base = (os.path.normcase(os.path.realpath(one)) for one in (path, base))
    try:
        return os.path.commonpath([real, real_base]) == real_base
    except ValueError:  # two drives on Windows
        return False


def _links(path: str, start: str = "") -> Iterator[str]:
    drive, path = os.path.splitdrive(path.replace("/", os.sep))
    way = start or (drive + os.sep if os.path.isabs(drive + path) else drive)
    for part in filter(None, path.split(os.sep)):
        way = os.path.join(way, part)
        if is_link(way):
            yield way


def regular(path: str, bytes_max: int = -1) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        OSError: if it cannot be read, is a symbolic link (ELOOP), or is not a regular file
            (EINVAL): opening a pipe would wait for a writer.

    regular("generated/heat.py")            # b"# Code generated ..."; never through a link
    regular("schemas/heat.pyi", 1_048_577)  # no more bytes than that
    """
    if not hasattr(os, "O_NOFOLLOW") and is_link(path):
        raise OSError(errno.ELOOP, "is a symbolic link", path)
    descriptor = os.open(path, flags("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK"))
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
