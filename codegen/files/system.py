r"""Where systems differ: what a file is opened with, what it is called, and how it is replaced.

native("generated", "plants/boiler.py")    # "generated/plants/boiler.py"
# on Windows, where it is long: "\\?\C:\far\down\generated\plants\boiler.py"
"""

import os
import stat
import time
from collections.abc import Callable

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
    """A path below a folder, with "/" between its parts, as the system takes it."""
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
