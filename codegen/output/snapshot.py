"""Read the current content of an output folder.

snapshot("generated", ["heat.py", "new.py"])
# Disk({"heat.py": DiskEntry(FILE, b"..."), "new.py": DiskEntry(MISSING), "old.py": ...}, manifest)
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable

from codegen.emit.rendered import Rendered
from codegen.output import manifest
from codegen.output.plan import Disk, DiskEntry, EntryKind
from codegen.output.system import regular


def snapshot(out: str, paths: Iterable[str]) -> Disk:
    """Read `paths`, and the paths that the manifest lists, below the folder `out`.

    Raises:
        OSError: if something there cannot be read.
    """
    listed = _look(out, manifest.NAME, manifest.BYTES_MAX + 1)
    if len(listed.data) > manifest.BYTES_MAX:
        message = "is too large for a manifest: delete it, and build again"
        raise OSError(errno.EFBIG, message, os.path.join(out, manifest.NAME))
    listing = manifest.parse(listed.data.decode(errors="replace"))
    wanted = [path for path in {*paths, *listing} if manifest.can_be_made(path)]
    return Disk({path: _look(out, path) for path in sorted(wanted)}, listed)


def is_there(out: str, file: Rendered) -> bool:
    """Return whether the folder `out` has a file exactly as it was rendered."""
    try:
        return regular(os.path.join(out, file.path)) == file.text.encode()
    except OSError:
        return False


def _look(out: str, path: str, bytes_max: int = -1) -> DiskEntry:
    folders = path.split("/")[:-1]
    for depth in range(1, len(folders) + 1):
        place = "/".join(folders[:depth])
        kind = _kind(os.path.join(out, place))
        if kind is not EntryKind.FOLDER:
            is_told = kind in (EntryKind.MISSING, EntryKind.SYMLINK)
            return DiskEntry(kind if is_told else EntryKind.OTHER, place=place)
    whole = os.path.join(out, path)
    kind = _kind(whole)
    return DiskEntry(kind, regular(whole, bytes_max) if kind is EntryKind.FILE else b"")


def _kind(path: str) -> EntryKind:
    try:
        mode = os.lstat(path).st_mode
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENAMETOOLONG):
            return EntryKind.MISSING
        raise
    if stat.S_ISLNK(mode):
        return EntryKind.SYMLINK
    if stat.S_ISDIR(mode):
        return EntryKind.FOLDER
    return EntryKind.FILE if stat.S_ISREG(mode) else EntryKind.OTHER
