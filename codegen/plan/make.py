"""Compare what was rendered with what is on the disk.

    rendered   heat.py (new text), steel.py (as on disk)
    disk       heat.py (as it was written), steel.py, old.py (listed, as it was written)
    plan       update heat.py, unchanged steel.py, remove old.py

A file on the disk is ours if the manifest lists it or its first line is the header's; it is as
it was written if the header's sum or a listed one fits. Only such files are overwritten, and of
these only listed ones are removed. `force` overwrites what was edited. It neither overwrites
what was never ours nor removes what was edited: the one may be the only copy of somebody's
work, and of the other the manifest's promise is that it goes with its checksum as listed.

A folder that another command wrote is left alone as a whole: a package has none of the files that
a site's manifest lists, and each of them would be removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from codegen.checksum import checksum
from codegen.plan import manifest
from codegen.plan.nodes import Action, Disk, Entry, Kind, Plan, Reason, Refusal, Step
from codegen.rendered.header import Seal, seal_of, with_line_feeds
from codegen.rendered.nodes import Rendered

_MISSING = Entry(Kind.MISSING)
_NONE: AbstractSet[str] = frozenset()


def plan(
    rendered: Sequence[Rendered],
    disk: Disk,
    *,
    force: bool = False,
    content: manifest.Content = "package",
) -> Plan:
    """Work out what a build does with `disk`, which covers the rendered and the listed paths.

    What is rendered does not always say what the folder is to hold: it may be nothing any more.
    """
    outputs = {file.path: file.text.encode() for file in rendered}
    assert len(outputs) == len(rendered), "two outputs have one path"
    everything = manifest.read(disk.manifest.data.decode(errors="replace"))
    listed = manifest.contents(everything)
    held: tuple[manifest.Content, ...] = tuple(one for one in listed if one != content)
    if held:
        return _taken(disk.manifest.data, content, held)
    listing = {p: sums for p, sums in everything.items() if manifest.can_be_made(p, content)}
    decided: list[Step | Refusal] = []
    for path, after in outputs.items():
        entry = disk.entries.get(path, _MISSING)
        decided.append(_output(path, after, entry, listing.get(path, _NONE), force=force))
    for path in listing.keys() - outputs.keys():
        entry = disk.entries.get(path, _MISSING)
        orphan = _orphan(path, entry, listing[path], force=force)
        decided += [orphan] if orphan is not None else []
    entries = [(path, checksum(after)) for path, after in outputs.items()]
    final = _manifest(manifest.write(entries).encode() if entries else b"", disk.manifest)
    if isinstance(final, Refusal):
        decided.append(final)
        final = Step(Action.UNCHANGED, manifest.NAME)
    decided.sort(key=lambda one: one.path)
    return Plan(
        steps=tuple(one for one in decided if isinstance(one, Step)),
        refusals=tuple(one for one in decided if isinstance(one, Refusal)),
        manifest=final,
        interim=manifest.write([*entries, *manifest.entries_of(listing)]).encode(),
    )


def _taken(data: bytes, wanted: manifest.Content, held: tuple[manifest.Content, ...]) -> Plan:
    """Do nothing to a folder that another command wrote."""
    refusal = Refusal(Reason.TAKEN, manifest.NAME, manifest.NAME, data, wanted=wanted, held=held)
    return Plan((), (refusal,), Step(Action.UNCHANGED, manifest.NAME, data, data), data)


def _output(
    path: str, after: bytes, entry: Entry, sums: AbstractSet[str], *, force: bool
) -> Step | Refusal:
    """What happens to a file that the schemas make."""
    if not manifest.can_be_made(path):
        return Refusal(Reason.OUTSIDE, path, path)
    if entry.kind is Kind.MISSING:
        return Step(Action.CREATE, path, after=after)
    if entry.kind is not Kind.FILE:
        return _in_the_way(path, entry)
    if entry.data == after:
        return Step(Action.UNCHANGED, path, entry.data, after)
    reason = _reason_to_keep(entry.data, sums)
    if reason is None or (reason is Reason.EDITED and force):
        return Step(Action.UPDATE, path, entry.data, after)
    return Refusal(reason, path, path, before=entry.data, after=after)


def _orphan(
    path: str, entry: Entry, sums: AbstractSet[str], *, force: bool
) -> Step | Refusal | None:
    """What happens to a listed file that no schema makes any more; nothing, if it is gone."""
    if entry.kind is Kind.MISSING:
        return None
    if entry.kind is not Kind.FILE:
        return Step(Action.RELEASE, path)
    if _is_listed(entry.data, sums):
        return Step(Action.REMOVE, path, entry.data)
    if force:
        return Step(Action.RELEASE, path, entry.data, entry.data)
    return Refusal(Reason.EDITED, path, path, before=entry.data)


def _manifest(after: bytes, entry: Entry) -> Step | Refusal:
    """What happens to the manifest, which is rewritten whatever a merge made of it.

    Where there is nothing to list it goes, after the last of the files.
    """
    if entry.kind is Kind.MISSING:
        return Step(Action.CREATE if after else Action.UNCHANGED, manifest.NAME, after=after)
    if entry.kind is not Kind.FILE:
        return _in_the_way(manifest.NAME, entry)
    if entry.data == after:
        return Step(Action.UNCHANGED, manifest.NAME, after, after)
    first_line = with_line_feeds(entry.data).partition(b"\n")[0]
    if first_line != manifest.FIRST_LINE.encode():
        return Refusal(Reason.FOREIGN, manifest.NAME, manifest.NAME, entry.data, after)
    return Step(Action.UPDATE if after else Action.REMOVE, manifest.NAME, entry.data, after)


def _in_the_way(path: str, entry: Entry) -> Refusal:
    reason = Reason.SYMLINK if entry.kind is Kind.SYMLINK else Reason.FOREIGN
    return Refusal(reason, path, entry.place or path)


def _reason_to_keep(data: bytes, sums: AbstractSet[str]) -> Reason | None:
    """Why a file may not be overwritten; None where it is as some build wrote it."""
    found = seal_of(data)
    if found is Seal.INTACT or _is_listed(data, sums):
        return None
    return Reason.EDITED if found is Seal.BROKEN or sums else Reason.FOREIGN


def _is_listed(data: bytes, sums: AbstractSet[str]) -> bool:
    # Line ends do not count here either: see codegen.rendered.header.
    return bool(sums) and checksum(with_line_feeds(data)) in sums
