"""The plan of a build: a snapshot of its output folder, and the action for each file.

Disk(entries={"heat.py": DiskEntry(Kind.FILE, b"..."), "new.py": DiskEntry(Kind.MISSING)})
FileStep(Action.UPDATE, "heat.py", before=b"...", after=b"...")
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from codegen.emit.rendered import FIRST_LINE, Rendered
from codegen.output import manifest
from codegen.output.manifest import checksum
from codegen.output.system import folded


class EntryKind(StrEnum):
    """The kind of entry at a path."""

    MISSING = "missing"
    FILE = "file"
    FOLDER = "folder"
    SYMLINK = "symlink"
    OTHER = "other"


class DiskEntry(Struct, frozen=True):
    """The entry at a path, or the entry that blocks the way to it."""

    kind: EntryKind
    data: bytes = b""
    """The bytes of a file."""
    place: str = ""
    """If `kind` is about a parent of the path, that parent."""


class Disk(Struct, frozen=True):
    """An output folder at one moment: the paths that a build may touch, and its manifest."""

    entries: Mapping[str, DiskEntry]
    manifest: DiskEntry = DiskEntry(EntryKind.MISSING)


class Action(StrEnum):
    """The action that a build takes on a file."""

    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    REMOVE = "remove"
    RELEASE = "release"
    """Keep the file but no longer list it: no schema generates it, and it was edited."""


class FileStep(Struct, frozen=True):
    """One file, and the action on it."""

    action: Action
    path: str
    before: bytes = b""
    after: bytes = b""
    is_merged: bool = False
    """Whether Git merged it from the files of two branches."""


class Reason(StrEnum):
    """The reason why a build does not touch a file."""

    EDITED = "edited"
    """A build wrote it, and it was edited or reformatted since."""
    FOREIGN = "foreign"
    """No build wrote it."""
    SYMLINK = "symlink"
    """Reached through a symbolic link."""
    OUTSIDE = "outside"
    """Not in the output folder."""


class Refusal(Struct, frozen=True):
    """A file that a build needs to change but does not touch."""

    reason: Reason
    path: str
    place: str
    """The path that blocks the file: the path itself, or a parent folder."""
    before: bytes = b""
    after: bytes | None = None
    """The bytes that a build would write; None if it would remove the file."""


class BuildPlan(Struct, frozen=True):
    """Everything that a build would do, sorted by path. If there is a refusal, it does nothing."""

    steps: tuple[FileStep, ...]
    refusals: tuple[Refusal, ...]
    manifest: FileStep
    """The step for the final manifest."""
    interim: bytes
    """The manifest while files are replaced: it lists the old and the new files."""

    @property
    def writes(self) -> tuple[FileStep, ...]:
        """The steps that write an output file."""
        return tuple(s for s in self.steps if s.action in (Action.CREATE, Action.UPDATE))

    @property
    def changes(self) -> tuple[FileStep, ...]:
        """The steps that touch the disk, the manifest's last."""
        idle = (Action.UNCHANGED, Action.RELEASE)
        return tuple(step for step in (*self.steps, self.manifest) if step.action not in idle)


_CONFLICT = re.compile(rb"^(<<<<<<< |=======\r?$|>>>>>>> )", re.MULTILINE)
_MISSING = DiskEntry(EntryKind.MISSING)


def plan(rendered: Sequence[Rendered], disk: Disk, *, force: bool = False) -> BuildPlan:
    """Compute what a build does with `disk`, which covers the rendered and the listed paths.

        rendered   heat.py (new text), steel.py (as on disk)
        disk       heat.py (intact), steel.py, old.py (listed, intact)
        plan       update heat.py, unchanged steel.py, remove old.py

    A file on the disk is intact if the manifest lists its checksum. It counts as merged by Git if
    the manifest lists several checksums for it, one from each branch, or if it contains conflict
    markers. Intact and merged files are overwritten. Any other listed file was edited by hand, and
    only `force` overwrites it.

    An unlisted file also counts as edited if it begins with the first line of generated files. A
    file that codegen never wrote is never overwritten.

    A file that no schema generates any more is removed only if it is intact.
    """
    outputs = {file.path: file.text.encode() for file in rendered}
    assert len(outputs) == len(rendered), "two outputs have one path"
    listing = manifest.parse(disk.manifest.data.decode(errors="replace"))
    decided = _decide(outputs, listing, disk.entries, force=force)
    entries = [(path, checksum(after)) for path, after in outputs.items()]
    final = _manifest(manifest.write(entries).encode() if entries else b"", disk.manifest)
    if isinstance(final, Refusal):
        decided.append(final)
        final = FileStep(Action.UNCHANGED, manifest.NAME)
    decided.sort(key=lambda one: one.path)
    return BuildPlan(
        steps=tuple(one for one in decided if isinstance(one, FileStep)),
        refusals=tuple(one for one in decided if isinstance(one, Refusal)),
        manifest=final,
        interim=manifest.write([*entries, *manifest.entries_of(listing)]).encode(),
    )


def _decide(
    outputs: Mapping[str, bytes],
    listing: manifest.Listing,
    entries: Mapping[str, DiskEntry],
    *,
    force: bool,
) -> list[FileStep | Refusal]:
    """Return what becomes of the output files, and of the listed files that no schema generates.

    Two paths that differ only in case are one file on some file systems. So the checksums of both
    count, the file is written again after the old name was removed, and an edit is reported once.
    """
    sums: defaultdict[str, AbstractSet[str]] = defaultdict(frozenset)
    for path, listed in listing.items():
        sums[folded(path)] |= listed
    orphans = listing.keys() - outputs.keys()
    renamed = {folded(path) for path in orphans}
    decided: list[FileStep | Refusal] = []
    for path, after in outputs.items():
        entry = entries.get(path, _MISSING)
        step = _output(path, after, entry, sums[folded(path)], force=force)
        if folded(path) in renamed and step == FileStep(Action.UNCHANGED, path, after, after):
            step = replace(step, action=Action.UPDATE)
        decided.append(step)
    edited = {(folded(one.path), one.before) for one in decided}
    for path in orphans:
        entry, known = entries.get(path, _MISSING), sums[folded(path)]
        if _is_listed(entry.data, known) or (folded(path), entry.data) not in edited:
            orphan = _orphan(path, entry, known, force=force)
            decided += [orphan] if orphan is not None else []
    return decided


def _output(
    path: str, after: bytes, entry: DiskEntry, sums: AbstractSet[str], *, force: bool
) -> FileStep | Refusal:
    """Return the step for a file that the schemas generate, or the refusal."""
    if not manifest.can_be_made(path):
        return Refusal(Reason.OUTSIDE, path, path)
    if entry.kind is EntryKind.MISSING:
        return FileStep(Action.CREATE, path, after=after)
    if entry.kind is not EntryKind.FILE:
        return _in_the_way(path, entry)
    if entry.data == after:
        return FileStep(Action.UNCHANGED, path, entry.data, after)
    is_ours = bool(sums) or entry.data.startswith(FIRST_LINE.encode())
    is_merged = is_ours and _is_merged(entry.data, sums)
    if _is_listed(entry.data, sums) or is_merged or (is_ours and force):
        return FileStep(Action.UPDATE, path, entry.data, after, is_merged)
    reason = Reason.EDITED if is_ours else Reason.FOREIGN
    return Refusal(reason, path, path, before=entry.data, after=after)


def _orphan(
    path: str, entry: DiskEntry, sums: AbstractSet[str], *, force: bool
) -> FileStep | Refusal | None:
    """Return the step for a listed file that no schema generates any more; None if it is gone."""
    if entry.kind is EntryKind.MISSING:
        return None
    if entry.kind is not EntryKind.FILE:
        return FileStep(Action.RELEASE, path)
    if _is_listed(entry.data, sums):
        return FileStep(Action.REMOVE, path, entry.data)
    if force:
        return FileStep(Action.RELEASE, path, entry.data, entry.data)
    return Refusal(Reason.EDITED, path, path, before=entry.data)


def _manifest(after: bytes, entry: DiskEntry) -> FileStep | Refusal:
    """Return the step for the manifest, which is rewritten even if a merge damaged it.

    If there is nothing to list, it is removed, after the last of the files.
    """
    if entry.kind is EntryKind.MISSING:
        return FileStep(Action.CREATE if after else Action.UNCHANGED, manifest.NAME, after=after)
    if entry.kind is not EntryKind.FILE:
        return _in_the_way(manifest.NAME, entry)
    if entry.data == after:
        return FileStep(Action.UNCHANGED, manifest.NAME, after, after)
    if manifest.FIRST_LINE.encode() not in with_line_feeds(entry.data).split(b"\n"):
        return Refusal(Reason.FOREIGN, manifest.NAME, manifest.NAME, entry.data, after)
    return FileStep(Action.UPDATE if after else Action.REMOVE, manifest.NAME, entry.data, after)


def _in_the_way(path: str, entry: DiskEntry) -> Refusal:
    reason = Reason.SYMLINK if entry.kind is EntryKind.SYMLINK else Reason.FOREIGN
    return Refusal(reason, path, entry.place or path)


def _is_merged(data: bytes, sums: AbstractSet[str]) -> bool:
    """Return whether Git merged a file from two that builds wrote."""
    return not _is_listed(data, sums) and (len(sums) > 1 or bool(_CONFLICT.search(data)))


def with_line_feeds(data: bytes) -> bytes:
    """Convert the CR LF line ends of a checkout back to LF."""
    return data.replace(b"\r\n", b"\n")


def _is_listed(data: bytes, sums: AbstractSet[str]) -> bool:
    # A checkout may have converted the line ends to CR LF.
    return bool(sums) and checksum(with_line_feeds(data)) in sums
