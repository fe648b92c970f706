"""Symbolic links on the way to a path: those of a repository may lead anywhere.

way_out("generated", ".")           # "generated", where that is a link to "../victim"
is_reached("setup.cfg", "demo")     # whether demo/setup.cfg is a link, or lies behind one
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from codegen.files.system import is_link


def way_out(path: str, base: str) -> str | None:
    """The first link on the way to a path that leads out of the folder `base`, if one does."""
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
