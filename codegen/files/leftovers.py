"""Temporary files: how they are named, and what became of those of a build that was killed.

temporary_name()   # ".5f0c1e9a7b3d2468.codegen-tmp"
clear("generated") # removes every file named like that
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.codegen-tmp")


def temporary_name() -> str:
    """A name that nobody else takes or foresees."""
    return f".{os.urandom(8).hex()}.codegen-tmp"


def clear(folder: str) -> None:
    """Remove what killed builds left in a folder and below; only under its lock.

    A folder below goes too if nothing else was in it. Hidden ones are none of ours and are
    passed over, and no symbolic link is followed.
    """
    found = [folder]
    for one in found:  # which grows meanwhile: those below come behind
        with os.scandir(one) as entries:
            found += [entry.path for entry in entries if _is_folder(entry)]
    cleared: set[str] = set()
    for one in reversed(found):
        with os.scandir(one) as entries:
            left = [entry.path for entry in entries if _TEMPORARY.fullmatch(entry.name)]
        for path in left:
            if os.path.isfile(path) and not os.path.islink(path):
                _remove(os.unlink, path)
                cleared.add(one)
        if one in cleared and one != folder and _remove(os.rmdir, one):
            cleared.add(os.path.dirname(one))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")


def _remove(how: Callable[[str], None], path: str) -> bool:
    """Whether a path could be removed: a folder may hold something, and somebody may be faster."""
    try:
        how(path)
    except OSError:
        return False
    return True
