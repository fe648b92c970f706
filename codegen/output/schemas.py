"""The schema files below a folder, with the modules that they become."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from unicodedata import normalize

from codegen.diagnostics import Code, Diagnostic, Related, Report
from codegen.options import FOLDERS_MAX, SCHEMA_BYTES_MAX
from codegen.output.system import folded, regular
from codegen.source import whole_file

SUFFIX = ".pyi"

Schema = tuple[str, str, bytes]
"""Path as shown to the user, dotted module below the root, bytes."""
Stamps = tuple[tuple[str, int, int], ...]
"""Path below the root, time of the last change in ns, size in bytes."""


def schemas(root: str) -> list[Schema]:
    """Return every schema file below the folder `root`, sorted by path.

    `root` is the path as shown to the user.

    schemas("schemas")
    # [("schemas/heat.pyi", "heat", b"..."), ("schemas/plants/boiler.pyi", "plants.boiler", b"...")]

    Hidden files and folders are skipped: they belong to editors and tools. A symbolic link to a
    folder is an error, because it may lead out of the root or in circles. A link to a file is
    followed if it leads to a file below the root. A too large file is read up to one byte more than
    the limit, so that later stages can refuse it.

    Raises:
        OSError: if `root` is not a folder, or something in it cannot be read.
    """
    real_root = os.path.realpath(root)
    return [
        (shown(root, path), _module(path), _read(os.path.join(real_root, path), real_root))
        for path in sorted(paths(real_root))
    ]


def stamps(root: str) -> Stamps:
    """Return paths, times and sizes, which show whether a schema was added, removed or changed.

    The result ends at the first error of the file system: a build reports the reason.
    """
    stamps: list[tuple[str, int, int]] = []
    try:
        for path in sorted(paths(root)):
            about = os.stat(os.path.join(root, path))
            stamps.append((path, about.st_mtime_ns, about.st_size))
    except OSError:
        pass
    return tuple(stamps)


def shown(root: str, path: str) -> str:
    """Return `path` below `root` as shown to the user: "schemas/heat.pyi"."""
    return os.path.normpath(os.path.join(root, path))


def paths(root: str) -> Iterator[str]:
    """Yield the path of every schema file, relative to the root and in no order.

    Raises:
        OSError: if something in the root cannot be read, or is a link to a folder.
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
                problem = f"is more than {FOLDERS_MAX} folders deep in the schema folder"
                raise OSError(errno.ENAMETOOLONG, problem, entry.path)
            waiting.append(f"{below}{entry.name}/")
        elif entry.is_symlink() and entry.is_dir():
            problem = (
                "is a symbolic link to a folder, but the schema folder may not contain such links"
            )
            raise OSError(
                errno.ELOOP, f"{problem}: replace the link with the folder itself", entry.path
            )
        elif entry.name.endswith(SUFFIX) and not entry.is_dir():
            yield f"{below}{entry.name}"


def _module(path: str) -> str:
    return path.removesuffix(SUFFIX).replace("/", ".")


def _read(path: str, root: str) -> bytes:
    if os.path.islink(path):
        target = os.path.realpath(path)
        if os.path.commonpath([target, root]) != root:
            raise OSError(
                errno.ELOOP,
                "is a symbolic link out of the schema folder: replace the link with the file itself",
                path,
            )
        try:
            return regular(target, SCHEMA_BYTES_MAX + 1)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from error
    return regular(path, SCHEMA_BYTES_MAX + 1)


_Place = tuple[str, str]
"""A path below the root, and the name of the module or package that it is to be."""


def misnamed(files: Sequence[Schema], root: str) -> Report:
    """Report wrong names of the schema `files` below `root`.

    A wrong name of a folder is reported once, at the folder.

    misnamed(schemas("schemas"), "schemas")
    # BAD_FILE_NAME: `2d` is not a valid name for a Python module
    # CASE_COLLISION: `Heat.pyi` and `heat.pyi` are the same name if case is ignored
    """
    paths = [os.path.relpath(path, root) for path, _, _ in files]
    places = sorted({place for path in paths for place in _path_and_parents(path)})
    return Report((*_bad_names(places, root), *_collisions(places, root)))


def _path_and_parents(path: str) -> Iterator[_Place]:
    """Yield the file and the folders that contain it: "plants" and "plants/boiler.pyi"."""
    folders = path.split("/")[:-1]
    for count, folder in enumerate(folders, start=1):
        yield "/".join(folders[:count]), folder
    yield path, os.path.basename(path).removesuffix(SUFFIX)


def _bad_names(places: list[_Place], root: str) -> Iterator[Diagnostic]:
    for path, name in places:
        fault = _fault(name)
        if fault:
            yield Diagnostic(
                Code.BAD_FILE_NAME,
                whole_file(shown(root, path)),
                f"`{_visible_name(name)}` {fault}",
                help="rename it: schema files and folders become Python modules",
            )


def _fault(name: str) -> str:
    """Return why a module cannot have this name; "" if it can."""
    if name == "__init__":
        return "cannot be a schema: the build writes `__init__.py` itself"
    if not name.isidentifier():
        return "is not a valid name for a Python module"
    if (read := normalize("NFKC", name)) != name:
        # Python would look for the normalised name and not find this file.
        return f"contains characters that Python normalises: it reads `{_escaped(read)}`"
    if iskeyword(name):
        return "is a Python keyword and cannot be used as a name"
    if name == "_runtime":
        return "is reserved: a copy of the run time has this name"
    if name.startswith("__"):
        return "starts with two underscores: such names are reserved by Python"
    return ""


def _collisions(places: list[_Place], root: str) -> Iterator[Diagnostic]:
    firsts: dict[tuple[str, str], str] = {}
    for path, name in places:
        first = firsts.setdefault((path.rpartition("/")[0], folded(name)), path)
        if first != path:
            yield _collision(first, path, root)


def _collision(first: str, second: str, root: str) -> Diagnostic:
    one, other = os.path.basename(first), os.path.basename(second)
    is_spelled = (_visible_name(one), _visible_name(other)) != (one, other)
    names = "{} and {}".format(*(f"`{_escaped(n) if is_spelled else n}`" for n in (one, other)))
    if first.endswith(SUFFIX) == second.endswith(SUFFIX):
        code = Code.CASE_COLLISION
        is_same = normalize("NFKC", one) == normalize("NFKC", other)
        message = f"{names} are the same name on case-insensitive file systems"
        if is_same:
            message = f"{names} are the same name in Python, because Python normalises identifiers"
    else:
        code = Code.MODULE_COLLISION
        message = f"{names} would become the same module"
    place = whole_file(shown(root, second))
    related = Related(whole_file(shown(root, first)), "the other file or folder")
    return Diagnostic(code, place, message, help="rename one of them", related=(related,))


def _visible_name(name: str) -> str:
    """Return a name for a message; escaped if Python normalises it to one that looks the same."""
    return name if normalize("NFKC", name) == name else _escaped(name)


def _escaped(name: str) -> str:
    return name.encode("unicode_escape").decode("ascii")
