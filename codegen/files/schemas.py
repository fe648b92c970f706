"""Find the schema files below a root.

    schemas("schemas")
    # [("schemas/heat.pyi", "heat", b"..."), ("schemas/plants/boiler.pyi", "plants.boiler", b"...")]

Hidden files and folders are passed over: they belong to editors and tools. A symbolic link to a
folder is an error: it could lead out of the root or round in circles, and what is silently passed
over is missed late. A link to a file is followed where it leads to a file below the root.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from codegen.files.read import regular
from codegen.files.system import native
from codegen.limits import FOLDERS_MAX, SCHEMA_BYTES_MAX

SUFFIX = ".pyi"

Schema = tuple[str, str, bytes]
"""Path as shown to the user, dotted module below the root, bytes."""
Stamps = tuple[tuple[str, int, int], ...]
"""Path below the root, time of the last change in ns, size in bytes."""


def schemas(root: str) -> list[Schema]:
    """Every schema file below the folder `root`, sorted by path; `root` as shown to the user.

    Of a file that is too large there is one byte more than is allowed, so that it is noticed.

    Raises:
        OSError: where `root` is no folder, or something in it cannot be read.
    """
    real_root = os.path.realpath(root)
    return [
        (shown(root, path), _module(path), _read(native(real_root, path), real_root))
        for path in sorted(paths(real_root))
    ]


def stamps(root: str) -> Stamps:
    """What tells whether a schema came, went or changed: paths, times and sizes.

    Of what cannot be looked at there is nothing: a build says why.
    """
    found: list[tuple[str, int, int]] = []
    try:
        for path in sorted(paths(root)):
            about = os.stat(os.path.join(root, path))
            found.append((path, about.st_mtime_ns, about.st_size))
    except OSError:
        pass
    return tuple(found)


def shown(root: str, path: str) -> str:
    """How `path` below `root` is named to the user: "schemas/heat.pyi"."""
    return os.path.normpath(os.path.join(root, path)).replace(os.sep, "/")


def paths(root: str) -> Iterator[str]:
    """Yield the path of every schema file, below the root and in no order.

    Raises:
        OSError: where something in it cannot be read, or is a link to a folder.
    """
    waiting = [""]
    while waiting:
        yield from _paths_in(root, waiting.pop(), waiting)


def _paths_in(root: str, below: str, waiting: list[str]) -> Iterator[str]:
    with os.scandir(os.path.join(root, below)) as found:
        entries = list(found)
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if below.count("/") >= FOLDERS_MAX:
                said = f"lies more than {FOLDERS_MAX} folders deep in the schema folder"
                raise OSError(errno.ENAMETOOLONG, said, entry.path)
            waiting.append(f"{below}{entry.name}/")
        elif entry.is_symlink() and entry.is_dir():
            said = "is a symbolic link to a folder, and none is followed below the schema folder"
            raise OSError(errno.ELOOP, f"{said}: put the folder itself in its place", entry.path)
        elif entry.name.endswith(SUFFIX) and not entry.is_dir():
            yield f"{below}{entry.name}"


def _module(path: str) -> str:
    return path.removesuffix(SUFFIX).replace("/", ".")


def _read(path: str, root: str) -> bytes:
    if os.path.islink(path):
        target = os.path.realpath(path)
        if os.path.commonpath([target, root]) != root:
            raise OSError(errno.ELOOP, "is a symbolic link out of the schema folder", path)
        try:
            return regular(target, SCHEMA_BYTES_MAX + 1)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from error
    return regular(path, SCHEMA_BYTES_MAX + 1)
