"""A snapshot of an output folder, and what is to become of it.

Disk(entries={"heat.py": Entry(Kind.FILE, b"..."), "new.py": Entry(Kind.MISSING)})
Step(Action.UPDATE, "heat.py", before=b"...", after=b"...")
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from codegen.plan.manifest import Content


class Kind(StrEnum):
    """What stands at a path."""

    MISSING = "missing"
    FILE = "file"
    FOLDER = "folder"
    SYMLINK = "symlink"
    OTHER = "other"


class Entry(Struct, frozen=True):
    """What stands at one path, or in the way to it."""

    kind: Kind
    data: bytes = b""
    """The bytes of a file."""
    place: str = ""
    """The folder on the way to the path that is no folder, if that is what `kind` is about."""


class Disk(Struct, frozen=True):
    """An output folder at one moment: the paths that a build may touch, and its manifest."""

    entries: Mapping[str, Entry]
    manifest: Entry = Entry(Kind.MISSING)


class Action(StrEnum):
    """What happens to a file."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    REMOVE = "remove"
    RELEASE = "release"
    """It stays, and is listed no more: no schema makes it, and it is not as it was written."""


class Step(Struct, frozen=True):
    """One file, and what happens to it."""

    action: Action
    path: str
    before: bytes = b""
    after: bytes = b""
    is_merged: bool = False
    """Git made it of the files of two branches, and nobody edited it."""


class Reason(StrEnum):
    """Why a file is left alone."""

    EDITED = "edited"
    """Ours, and edited or reformatted since it was written."""
    FOREIGN = "foreign"
    """Never ours."""
    SYMLINK = "symlink"
    """Reached through a symbolic link."""
    OUTSIDE = "outside"
    """Not in the output folder."""
    TAKEN = "taken"
    """In a folder that holds what another command wrote, all of which would be removed."""


class Refusal(Struct, frozen=True):
    """One file that a build would have to touch and does not."""

    reason: Reason
    path: str
    place: str
    """What stands in the way: the path itself, or a folder on the way to it."""
    before: bytes = b""
    after: bytes | None = None
    """What a build would write; None where it would remove the file."""
    wanted: Content = "package"
    """What is to be written to the folder."""
    held: tuple[Content, ...] = ()
    """What the folder holds instead, if that is the reason."""


class Plan(Struct, frozen=True):
    """Everything that a build would do, sorted by path. With a refusal it does nothing."""

    steps: tuple[Step, ...]
    refusals: tuple[Refusal, ...]
    manifest: Step
    """The manifest as it is in the end."""
    interim: bytes
    """The manifest while files are replaced: what is listed now and what will be."""

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that touch the disk, the manifest's last."""
        idle = (Action.UNCHANGED, Action.RELEASE)
        return tuple(step for step in (*self.steps, self.manifest) if step.action not in idle)
