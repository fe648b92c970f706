"""Write all files or none: schemas, then their output as a build does, then the sources that import it.

work = Work(schemas, Output("src/heat/_generated", rendered, plan), sources)
write(work)
put_back(work.changes)    # what is found wrong afterwards
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
from codegen.output.write import apply, rewrite


class FileChange(Struct, frozen=True):
    """What a file is to hold, and what it held; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None


class Output(Struct, frozen=True):
    """The folder of the generated package, and what a build would do with it."""

    folder: str
    rendered: tuple[Rendered, ...]
    plan: BuildPlan

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """What that does to each file."""
        return tuple(
            FileChange(
                native(self.folder, step.path),
                None if step.action is Action.CREATE else step.before,
                None if step.action is Action.REMOVE else step.after,
            )
            for step in self.plan.changes
        )


class Work(Struct, frozen=True):
    """All that is written."""

    schemas: tuple[FileChange, ...]
    output: Output
    sources: tuple[FileChange, ...]

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """Every file of it, in the order in which they are written."""
        return (*self.schemas, *self.output.changes, *self.sources)


def write(work: Work) -> None:
    """Write the files; where one cannot be, none.

    Raises:
        OSError: where one cannot be written, or is not what was read any more.
    """
    try:
        _rewrite(work.schemas)
        _build(work.output)
        _rewrite(work.sources)
    except BaseException:
        put_back(work.changes)
        raise


def _rewrite(changes: Sequence[FileChange]) -> None:
    for one in changes:
        assert one.after is not None, "a build alone removes files"
        rewrite(one.path, one.before, one.after)


def _build(output: Output) -> None:
    folder = output.folder
    with locked(folder):
        now = plan(output.rendered, snapshot(folder, [one.path for one in output.rendered]))
        if now != output.plan:
            raise OSError(errno.EBUSY, "was changed by somebody else meanwhile", folder)
        apply(output.plan, folder)


def put_back(changes: Sequence[FileChange]) -> None:
    """Bring the files to what they were, and remove those that were not there; others' changes stay."""
    for one in reversed(changes):
        with suppress(OSError):
            if one.before is not None:
                rewrite(one.path, one.after, one.before)
            elif _holds(one):
                os.unlink(one.path)
                _prune(os.path.dirname(one.path))


@contextmanager
def ended_by_exception() -> Iterator[None]:
    """Let a request to end, as `timeout` sends it, be an exception, which files are put back for."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal(SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal(SIGTERM, before)


def _holds(one: FileChange) -> bool:
    with open(one.path, "rb") as file:
        return file.read() == one.after


def _prune(folder: str) -> None:
    """Remove folders that nothing lies in any more."""
    with suppress(OSError):
        while folder:
            os.rmdir(folder)
            folder = os.path.dirname(folder)
