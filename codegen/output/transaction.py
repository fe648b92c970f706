"""Write all files or none: schemas, then their output as a build does, then the sources.

work = FilesToWrite(schemas, Output("src/heat/_generated", rendered, plan), sources)
write_files(work)
restore_files(work.changes)    # after a later check failed
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from signal import SIGTERM, signal
from threading import current_thread, main_thread

from msgspec import Struct

from codegen.emit.rendered import Rendered
from codegen.output.lock import locked
from codegen.output.plan import Action, BuildPlan, plan
from codegen.output.snapshot import snapshot
from codegen.output.system import native
from codegen.output.write import apply, clear_temporary_files, rewrite


class FileChange(Struct, frozen=True):
    """The old and new content of a file; None if there is no file."""

    path: str
    before: bytes | None
    after: bytes | None


class Output(Struct, frozen=True):
    """The folder of the generated package, and the plan of a build for it."""

    folder: str
    rendered: tuple[Rendered, ...]
    plan: BuildPlan

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """The change that the plan makes to each file."""
        return tuple(
            FileChange(
                native(self.folder, step.path),
                None if step.action is Action.CREATE else step.before,
                None if step.action is Action.REMOVE else step.after,
            )
            for step in self.plan.changes
        )


class FilesToWrite(Struct, frozen=True):
    """All files to write."""

    schemas: tuple[FileChange, ...]
    output: Output
    sources: tuple[FileChange, ...]
    folders: tuple[str, ...] = ()
    """Other folders, which are cleared of the temporary files of killed runs."""

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """All changes, in the order in which they are written."""
        return (*self.schemas, *self.output.changes, *self.sources)


def write_files(work: FilesToWrite) -> None:
    """Write the files. If one cannot be written, restore all. Builds of the output wait until then.

    Raises:
        OSError: a file cannot be written, or has changed since it was read.
    """
    with locked(work.output.folder):
        for folder in filter(os.path.isdir, work.folders):
            clear_temporary_files(folder)
        try:
            _write_changes(work.schemas)
            _write_output(work.output)
            _write_changes(work.sources)
        except BaseException:
            restore_files(work.changes)
            raise


def _write_changes(changes: Sequence[FileChange]) -> None:
    for one in changes:
        assert one.after is not None, "a build alone removes files"
        rewrite(one.path, one.before, one.after)


def _write_output(output: Output) -> None:
    folder = output.folder
    now = plan(output.rendered, snapshot(folder, [one.path for one in output.rendered]))
    if now != output.plan:
        raise OSError(errno.EBUSY, "was changed by another program in the meantime", folder)
    apply(output.plan, folder)


def restore_files(changes: Sequence[FileChange]) -> None:
    """Restore the files, and remove new ones; changes by others stay."""
    for one in reversed(changes):
        with suppress(OSError):
            if one.before is not None:
                rewrite(one.path, one.after, one.before)
            elif _is_unchanged(one):
                os.unlink(one.path)
                _remove_empty_folders(os.path.dirname(one.path))


@contextmanager
def sigterm_as_exception() -> Iterator[None]:
    """Convert SIGTERM, as `timeout` sends it, to an exception, so that files are restored."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal(SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal(SIGTERM, before)


def _is_unchanged(one: FileChange) -> bool:
    with open(one.path, "rb") as file:
        return file.read() == one.after


def _remove_empty_folders(folder: str) -> None:
    """Remove folders that are now empty."""
    with suppress(OSError):
        while folder:
            os.rmdir(folder)
            folder = os.path.dirname(folder)
