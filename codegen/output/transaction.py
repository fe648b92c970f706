"""Write all files or none: schemas, then their output as a build does, then the sources.

work = FilesToWrite(schemas, Output("src/heat/_generated", rendered, plan), sources)
write_files(work, print)
restore_files(work.changes)    # after a later check failed
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from signal import SIGTERM, signal
from threading import current_thread, main_thread

from msgspec import MsgspecError, Struct, json

from codegen.emit.rendered import Rendered
from codegen.output.lock import locked
from codegen.output.plan import Action, BuildPlan, plan
from codegen.output.snapshot import snapshot
from codegen.output.system import lies_in, regular
from codegen.output.write import apply, clear_temporary_files, overwrite, rewrite

_SUFFIXES = (".py", ".pyi")


class FileChange(Struct, frozen=True):
    """The old and new content of a file; None if there is no file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def sides(self) -> tuple[bytes | None, bytes | None]:
        """The content before and after."""
        return self.before, self.after


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
                os.path.join(self.folder, step.path),
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


def write_files(work: FilesToWrite, say: Callable[[str], None]) -> None:
    """Write the files. If one cannot be written, restore all. Builds of the output wait until then.

    If it has to wait for a build itself, `say` gets one line about it.

    Raises:
        OSError: a file cannot be written, or has changed since it was read.
    """
    with locked(work.output.folder, say):
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
def journal(path: str, changes: Sequence[FileChange]) -> Iterator[None]:
    """Keep a file with these changes until they are written and checked: see `undo_interrupted`."""
    folder = os.path.dirname(path)
    kept = [FileChange(os.path.relpath(one.path, folder), *one.sides) for one in changes]
    os.makedirs(folder, exist_ok=True)
    overwrite(path, json.encode(kept))
    try:
        yield
    finally:
        os.unlink(path)
        _remove_empty_folders(folder)


def undo_interrupted(path: str, base: str) -> bool:
    """Restore the files of a run that was killed; return whether it left this journal.

    Raises:
        ValueError: the journal is damaged, or names files that are not below the folder `base`.
    """
    folder = os.path.dirname(path)
    try:
        kept = json.decode(regular(path), type=tuple[FileChange, ...])
    except FileNotFoundError:
        return False
    except (OSError, MsgspecError) as error:
        raise ValueError(
            f"`{path}` is damaged: delete it, and compare the files with Git"
        ) from error
    changes = [FileChange(os.path.join(folder, one.path), *one.sides) for one in kept]
    for one in changes:
        if os.path.islink(one.path) or not (
            lies_in(one.path, base) and one.path.endswith(_SUFFIXES)
        ):
            raise ValueError(f"`{path}` is damaged: it names `{one.path}`; delete it")
    restore_files(changes)
    os.unlink(path)
    return True


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
