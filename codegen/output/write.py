"""Write files so that an interruption at any moment does no harm.

This covers the output folder, by a plan, and single files that a user wrote.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress

from codegen.output import manifest
from codegen.output.plan import Action, BuildPlan
from codegen.output.system import folded, regular

_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.codegen-tmp")


def temporary_name() -> str:
    """Return a unique and unpredictable file name: ".5f0c1e9a7b3d2468.codegen-tmp"."""
    return f".{os.urandom(8).hex()}.codegen-tmp"


def clear_temporary_files(folder: str, *, below: bool = True) -> None:
    """Remove the temporary files of killed builds in a folder and below; call only under its lock.

    A folder below is removed too if it contained nothing else. Hidden folders are skipped, because
    codegen creates none, and symbolic links are not followed. `below=False` is for the folder of a
    project, where `init` writes files.
    """
    folders = [folder]
    # The list grows in the loop. (`os.walk` of Python 3.11 is recursive.)
    for one in folders if below else []:
        with os.scandir(one) as entries:
            folders += [entry.path for entry in entries if _is_folder(entry)]
    cleared: set[str] = set()
    for one in reversed(folders):
        with os.scandir(one) as entries:
            left = [entry.path for entry in entries if _TEMPORARY.fullmatch(entry.name)]
        for path in left:
            if os.path.isfile(path) and not os.path.islink(path):
                _try_remove(os.unlink, path)
                cleared.add(one)
        if one in cleared and one != folder and _try_remove(os.rmdir, one):
            cleared.add(os.path.dirname(one))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")


def _try_remove(how: Callable[[str], None], path: str) -> bool:
    """Try to remove a path; return False if a folder is not empty or the path is already gone."""
    try:
        how(path)
    except OSError:
        return False
    return True


def apply(plan: BuildPlan, out: str) -> None:
    """Carry out `plan` in the folder `out`, so that an interruption does no harm.

    The plan must be computed under the lock of `out`, from a snapshot taken under the same lock.

    1.  Every new text is written to a temporary file in the same folder and forced to the disk. A
        full disk or a missing permission is found here, while the old output is still unchanged.
    2.  The manifest is replaced by one that lists the old files and the new ones.
    3.  Files that no schema generates any more are removed. The others are replaced, each by one
        rename.
    4.  The manifest is replaced by the final one, or removed if no file is left.

    If a build is killed in between, each file is old or new, never half, and the manifest lists all
    of them. So the next build recognizes them as generated, and finishes.

    Raises:
        OSError: if the disk is full, or a file or folder may not be written.
    """
    assert not plan.refusals, "a plan with refusals is not carried out"
    if not plan.changes:
        return
    staging = _Staging(out)
    try:
        outputs = [staging.add(step.path, step.after) for step in plan.writes]
        first, last = (
            [staging.add(manifest.NAME, text) for text in texts] for texts in _manifests(plan)
        )
        staging.flush()
        for temporary in first:
            staging.commit(temporary)
        # Remove first: on a case-insensitive file system, a file whose name changes only in case
        # is the same file as its replacement. A folder is not empty then: it is renamed.
        for step in plan.steps:
            if step.action is Action.REMOVE:
                _remove(out, step.path)
        _spell(out, [step.path for step in plan.writes])
        for temporary in (*outputs, *last):
            staging.commit(temporary)
        if plan.manifest.action is Action.REMOVE:
            _remove(out, manifest.NAME)
    except BaseException:
        staging.discard()
        raise


def _manifests(plan: BuildPlan) -> tuple[list[bytes], list[bytes]]:
    """Return the manifests to write before and after the other files: at most one each."""
    first = [plan.interim] if plan.writes and plan.interim != plan.manifest.before else []
    if plan.manifest.action is Action.REMOVE:
        return [], []
    known = first[0] if first else plan.manifest.before
    return first, [plan.manifest.after] if plan.manifest.after != known else []


_FLUSHED_AT_ONCE = 8


class _Staging:
    """Temporary files, each in the folder of the file that it will replace."""

    def __init__(self, out: str) -> None:
        self.out = out
        self.waiting: dict[str, str] = {}  # temporary path -> final path
        self.made: list[str] = []  # created folders, outermost first

    def add(self, path: str, data: bytes) -> str:
        """Write a new text for `path`; return the temporary path, which `commit` takes."""
        target = os.path.join(self.out, path)
        self._make(os.path.dirname(target))
        temporary = os.path.join(os.path.dirname(target), temporary_name())
        new = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with _blaming(target):
            # Listed first: an interrupt after it was created must remove it.
            self.waiting[temporary] = target
            # The umask limits the mode of a new file.
            descriptor = os.open(temporary, new, 0o666)
            with open(descriptor, "wb") as file:
                file.write(data)
            with suppress(FileNotFoundError):
                os.chmod(temporary, stat.S_IMODE(os.lstat(target).st_mode))
        return temporary

    def _make(self, folder: str) -> None:
        missing: list[str] = []
        while not os.path.isdir(folder):
            missing.append(folder)
            folder = os.path.dirname(folder)
        for one in reversed(missing):
            os.mkdir(one)
            self.made.append(one)

    def flush(self) -> None:
        """Force every text to the disk: after all writes, and several at once. A file system
        writes them together, in a quarter of the time.
        """
        # A build with nothing to do does not need it.
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        with ThreadPoolExecutor(_FLUSHED_AT_ONCE) as pool:
            for _ in pool.map(_flush, self.waiting, self.waiting.values()):
                pass

    def commit(self, temporary: str) -> None:
        """Move a new text to its final path."""
        target = self.waiting[temporary]
        with _blaming(target):
            os.replace(temporary, target)
        del self.waiting[temporary]

    def discard(self) -> None:
        """Remove the remaining temporary files, and created folders that are empty."""
        for temporary in self.waiting:
            with suppress(OSError):
                os.unlink(temporary)
        for folder in reversed(self.made):
            with suppress(OSError):
                os.rmdir(folder)


def _flush(temporary: str, target: str) -> None:
    with _blaming(target):
        descriptor = os.open(temporary, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _blaming(path: str) -> Generator[None, None, None]:
    """Name `path` in an OSError: the system names a temporary file, or no file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _spell(out: str, paths: Iterable[str]) -> None:
    """Give the entries at `paths`, and their folders, names of the right case.

    A case-insensitive file system would keep the old name of a folder or file that is there:
    `Sub/heat.py` if `sub/heat.py` is written. Python would not find it as `sub.heat`.
    """
    listings: dict[str, list[str]] = {}
    for path in paths:
        parts = path.split("/")
        for depth, name in enumerate(parts):
            folder = os.path.join(out, *parts[:depth])
            place = os.path.join(folder, name)
            if folder not in listings:
                listings[folder] = os.listdir(folder)
            if name in listings[folder] or not os.path.lexists(place):
                continue
            for other in listings[folder]:
                if folded(other) == folded(name):
                    os.rename(os.path.join(folder, other), place)
                    listings[folder].append(name)
                    break


def _remove(out: str, path: str) -> None:
    """Remove a file, and the folders that it leaves empty."""
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(out, path))
    folder = path.rpartition("/")[0]
    with suppress(OSError):
        while folder:
            os.rmdir(os.path.join(out, folder))
            folder = folder.rpartition("/")[0]


def rewrite(path: str, before: bytes | None, after: bytes) -> None:
    """Replace a file that a user wrote, if its bytes are still `before` (None: no file exists).

    A file keeps its permissions. The folders of a new file are created.

    Raises:
        OSError: if it cannot be written, or was changed since it was read (EBUSY).
    """
    target = os.path.realpath(path)
    current = regular(target) if os.path.exists(target) else None
    if current == after:
        return  # two links may lead to one file
    if current != before:
        raise OSError(errno.EBUSY, "was changed by another program in the meantime", path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with _blaming(path):
        overwrite(target, after)


def text_of(path: str) -> str | None:
    """Return the text of a file; None if it does not exist."""
    try:
        return regular(os.path.realpath(path)).decode()
    except FileNotFoundError:
        return None


def like(before: str, after: str) -> str:
    """Return a text with the line ends of the text that it replaces."""
    if "\r\n" not in before:
        return after
    return after.replace("\r\n", "\n").replace("\n", "\r\n")


def create(path: str, text: str) -> bool:
    """Write a new file, and create its folders; return False if the path exists.

    create("demo/schemas/example.pyi", "...")   # True; False if something is already there
    """
    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def overwrite(path: str, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file completely or, if that fails, not at all.

    An existing file keeps its permissions; a new one gets `mode`, limited by the umask.
    """
    temporary = os.path.join(os.path.dirname(path), temporary_name())
    try:
        with open(temporary, "xb", opener=lambda name, how: os.open(name, how, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
