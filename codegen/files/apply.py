"""Carry out a plan, so that being stopped at any moment does no harm.

    apply(plan, "generated")

    1  every new text is written to a file beside its place and forced to the disk: a full disk
       or a missing permission is met here, where the old output is still untouched
    2  the manifest is replaced by one that lists the old files and the new ones
    3  files that no schema makes any more are removed, the others replaced, each by one rename
    4  the manifest is replaced by the final one, or removed if no file is left

Whoever is killed in between leaves files that are old or new, never half, and a manifest that
lists all of them: the next build takes each of them for ours and finishes.
"""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress

from codegen.files.leftovers import temporary_name
from codegen.files.system import flags, native, remove, replace
from codegen.plan import manifest
from codegen.plan.nodes import Action, Plan


def apply(plan: Plan, out: str) -> None:
    """Bring the folder `out` to where `plan` wants it.

    The plan was made, under the lock of `out`, from a snapshot taken under the same lock.

    Raises:
        OSError: where the disk is full, or a file or folder may not be written.
    """
    assert not plan.refusals, "a plan with refusals is not carried out"
    if not plan.changes:
        return
    staging = _Staging(out)
    try:
        outputs = [
            staging.add(step.path, step.after)
            for step in plan.steps
            if step.action in (Action.CREATE, Action.UPDATE)
        ]
        first, last = (
            [staging.add(manifest.NAME, text) for text in texts] for texts in _manifests(plan)
        )
        staging.flush()
        for temporary in first:
            staging.commit(temporary)
        # Before the others: on a disk that knows no case, a file whose name changes in nothing
        # else is the very file that takes its place.
        for step in plan.steps:
            if step.action is Action.REMOVE:
                _remove(out, step.path)
        for temporary in (*outputs, *last):
            staging.commit(temporary)
        if plan.manifest.action is Action.REMOVE:
            _remove(out, manifest.NAME)
    except BaseException:
        staging.discard()
        raise


def _manifests(plan: Plan) -> tuple[list[bytes], list[bytes]]:
    """The manifests to write before the other files and after them: one or none each."""
    writes = any(step.action in (Action.CREATE, Action.UPDATE) for step in plan.steps)
    first = [plan.interim] if writes and plan.interim != plan.manifest.before else []
    if plan.manifest.action is Action.REMOVE:
        return [], []
    known = first[0] if first else plan.manifest.before
    return first, [plan.manifest.after] if plan.manifest.after != known else []


class _Staging:
    """New texts that lie beside the files that they are to replace."""

    def __init__(self, out: str) -> None:
        self.out = out
        self.waiting: dict[str, str] = {}  # temporary path -> the path that it is to take
        self.made: list[str] = []  # folders, outermost first

    def add(self, path: str, data: bytes) -> str:
        """Write a new text for `path`; the temporary path, which `commit` takes."""
        target = native(self.out, path)
        self._make(os.path.dirname(target))
        temporary = os.path.join(os.path.dirname(target), temporary_name())
        new = flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW")
        with _blaming(target):
            # A new file gets what the umask leaves of it.
            descriptor = os.open(temporary, new, 0o666)
            self.waiting[temporary] = target
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
        """Force every text to the disk. Written first, flushed later: that is half the time."""
        for temporary, target in self.waiting.items():
            with _blaming(target):
                # Windows flushes for whoever may write.
                descriptor = os.open(temporary, flags("O_RDWR"))
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    def commit(self, temporary: str) -> None:
        """Put a new text in its place."""
        target = self.waiting[temporary]
        with _blaming(target):
            replace(temporary, target)
        del self.waiting[temporary]

    def discard(self) -> None:
        """Take back what lies about, and folders that nothing came to lie in."""
        for temporary in self.waiting:
            with suppress(OSError):
                os.unlink(temporary)
        for folder in reversed(self.made):
            with suppress(OSError):
                os.rmdir(folder)


@contextmanager
def _blaming(path: str) -> Generator[None, None, None]:
    """Name `path` in an error: the system names a temporary file, or none at all."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _remove(out: str, path: str) -> None:
    """Remove a file, and the folders that it leaves empty."""
    with suppress(FileNotFoundError):
        remove(native(out, path))
    folder = path.rpartition("/")[0]
    with suppress(OSError):
        while folder:
            os.rmdir(native(out, folder))
            folder = folder.rpartition("/")[0]
