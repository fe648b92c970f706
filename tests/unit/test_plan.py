"""The decisions of a build, from the rendered files and a snapshot of the disk."""

from __future__ import annotations

import pytest

from codegen.diagnostics import Code
from codegen.emit.rendered import Rendered, with_header
from codegen.output import manifest
from codegen.output.findings import diff, outdated, refused
from codegen.output.manifest import checksum
from codegen.output.plan import Action, BuildPlan, Disk, DiskEntry, EntryKind, Reason, plan

OLD, NEW = with_header("x = 1\n"), with_header("x = 2\n")


def _file(text: str) -> DiskEntry:
    return DiskEntry(EntryKind.FILE, text.encode())


def _disk(listed: dict[str, str] | None = None, **entries: DiskEntry) -> Disk:
    """Create a disk with these files, `heat` for `heat.py`. `listed` has the texts in the manifest."""
    if listed is None:
        return Disk({f"{name}.py": entry for name, entry in entries.items()})
    text = manifest.write((path, checksum(text.encode())) for path, text in listed.items())
    return Disk({f"{name}.py": entry for name, entry in entries.items()}, _file(text))


# --- the manifest


def test_a_manifest_is_sorted_by_path_and_read_back() -> None:
    entries = [("b.py", "1" * 32), ("a/c.py", "2" * 32), ("a.py", "3" * 32)]
    text = manifest.write(entries)
    assert text.splitlines()[1:] == [
        f"{'3' * 32}  a.py",
        f"{'2' * 32}  a/c.py",
        f"{'1' * 32}  b.py",
    ]
    assert text == manifest.write(reversed(entries))
    assert sorted(manifest.entries_of(manifest.parse(text))) == sorted(entries)


def test_merged_manifest_contains_both_sides() -> None:
    text = (
        f"{manifest.FIRST_LINE}\n<<<<<<< ours\n{'1' * 32}  a.py\n=======\n{'2' * 32}  a.py\n"
        f">>>>>>> theirs\n{'3' * 32}  b.py\r\n"
    )
    assert manifest.parse(text) == {
        "a.py": frozenset({"1" * 32, "2" * 32}),
        "b.py": frozenset({"3" * 32}),
    }


@pytest.mark.parametrize(
    "path",
    [
        "../a.py",
        "a/../../b.py",
        "/etc/passwd",
        "a//b.py",
        "./a.py",
        "a/.",
        "",
        "a\\b.py",
        "c:a.py",
        "a\x00.py",
        "a\x85.py",
        "a\ud800.py",
        ".codegen-manifest",
        ".git/HEAD",
        ".git/a.py",
        "pyproject.toml",
        "a-b/c.py",
        "a/.py",
        "a/b.html",
    ],
)
def test_manifest_entries_that_no_build_writes_are_ignored(path: str) -> None:
    assert not manifest.can_be_made(path)
    assert manifest.parse(f"{'1' * 32}  {path}\n") == {}


# --- the action for a file

CONFLICT = "<<<<<<< ours\nx = 1\n=======\nx = 3\n>>>>>>> theirs\n"
LISTED = {"heat.py": OLD}
CRLF = OLD.replace("\n", "\r\n")

# The new text (None: no longer generated), the texts in the manifest, the entry on the disk, and
# the decision without `--force`.
DECISIONS: dict[str, tuple[str | None, dict[str, str], DiskEntry | None, Action | Reason]] = {
    "missing": (NEW, {}, None, Action.CREATE),
    "equal": (NEW, {}, _file(NEW), Action.UNCHANGED),
    "as listed": (NEW, LISTED, _file(OLD), Action.UPDATE),
    "unlisted, with header": (NEW, {}, _file(OLD), Reason.EDITED),
    "listed, without header": ("", {"heat.py": "old"}, _file("old"), Action.UPDATE),
    "old with CR LF": (NEW, LISTED, _file(CRLF), Action.UPDATE),
    "equal with CR LF": (OLD, LISTED, _file(CRLF), Action.UPDATE),
    "a line added": (NEW, LISTED, _file(OLD + "y = 1\n"), Reason.EDITED),
    "a rule added": (NEW, LISTED, _file(OLD + "#======\n"), Reason.EDITED),
    "header removed": (NEW, LISTED, _file("x = 1\n"), Reason.EDITED),
    "edited to the new text": (NEW, LISTED, _file(NEW), Action.UNCHANGED),
    "foreign": (NEW, {}, _file("import os\n"), Reason.FOREIGN),
    "foreign with conflict": (NEW, {}, _file(CONFLICT), Reason.FOREIGN),
    "empty": (NEW, {}, _file(""), Reason.FOREIGN),
    "folder": (NEW, {}, DiskEntry(EntryKind.FOLDER), Reason.FOREIGN),
    "pipe": (NEW, {}, DiskEntry(EntryKind.OTHER), Reason.FOREIGN),
    "link": (NEW, {}, DiskEntry(EntryKind.SYMLINK), Reason.SYMLINK),
    "below a link": (NEW, {}, DiskEntry(EntryKind.SYMLINK, place="a"), Reason.SYMLINK),
    "orphan": (None, LISTED, _file(OLD), Action.REMOVE),
    "orphan with CR LF": (None, LISTED, _file(CRLF), Action.REMOVE),
    "edited orphan": (None, LISTED, _file(NEW), Reason.EDITED),
    "link for an orphan": (None, LISTED, DiskEntry(EntryKind.SYMLINK), Action.RELEASE),
    "folder for an orphan": (None, LISTED, DiskEntry(EntryKind.FOLDER), Action.RELEASE),
}
# Where `--force` decides something else.
FORCED = {
    **dict.fromkeys(
        ("unlisted, with header", "a line added", "a rule added", "header removed"), Action.UPDATE
    ),
    "edited orphan": Action.RELEASE,
}


@pytest.mark.parametrize("case", DECISIONS)
def test_decision_for_a_file(case: str) -> None:
    text, listed, entry, decided = DECISIONS[case]
    disk = _disk(listed or None, **({} if entry is None else {"heat": entry}))
    rendered = [] if text is None else [Rendered("heat.py", text)]
    for force, expected in ((False, decided), (True, FORCED.get(case, decided))):
        made = plan(rendered, disk, force=force)
        assert [*(one.action for one in made.steps), *(one.reason for one in made.refusals)] == [
            expected
        ]


@pytest.mark.parametrize("text", [OLD + CONFLICT, (OLD + CONFLICT).replace("\n", "\r\n")])
def test_file_with_conflict_markers_is_rebuilt(text: str) -> None:
    for disk in (_disk(LISTED, heat=_file(text)), _disk(heat=_file(text))):
        (step,) = plan([Rendered("heat.py", NEW)], disk).steps
        assert (step.action, step.is_merged) == (Action.UPDATE, True)


def test_a_file_that_is_listed_twice_is_rebuilt() -> None:
    listed = "".join(
        f"{checksum(with_header(text).encode())}  heat.py\n" for text in ("x = 1\n", "x = 3\n")
    )
    disk = Disk(
        {"heat.py": _file(with_header("x = 4\n"))}, _file(f"{manifest.FIRST_LINE}\n{listed}")
    )
    (step,) = plan([Rendered("heat.py", NEW)], disk).steps
    assert (step.action, step.is_merged) == (Action.UPDATE, True)


def test_a_complete_manifest_of_a_merge_is_not_stale() -> None:
    sums = [checksum(text.encode()) for text in (NEW, OLD)]
    listed = f"{sums[1]}  heat.py\n{sums[0]}  heat.py\n{sums[1]}  gone.py\n"
    disk = Disk({"heat.py": _file(NEW)}, _file(f"{manifest.FIRST_LINE}\n{listed}"))
    made = plan([Rendered("heat.py", NEW)], disk)
    assert not outdated(made, "generated", "codegen build")
    assert made.manifest.action is Action.UPDATE


@pytest.mark.parametrize("path", ["../heat.py", "/heat.py", ".codegen-manifest"])
def test_path_outside_of_the_output_is_rejected(path: str) -> None:
    made = plan([Rendered(path, NEW)], _disk(), force=True)
    assert [one.reason for one in made.refusals] == [Reason.OUTSIDE]


def test_missing_orphan_changes_only_the_manifest() -> None:
    made = plan([], _disk(LISTED, heat=DiskEntry(EntryKind.MISSING)))
    assert (made.steps, made.refusals) == ((), ())
    assert made.manifest.action is Action.REMOVE


# --- the manifest as a file


def test_manifest_is_written_last_and_lists_rendered_files() -> None:
    made = plan([Rendered("b.py", NEW), Rendered("a.py", OLD)], _disk())
    assert made.changes[-1] == made.manifest
    assert made.manifest.after.decode().splitlines()[1:] == [
        f"{checksum(OLD.encode())}  a.py",
        f"{checksum(NEW.encode())}  b.py",
    ]


def test_interim_manifest_lists_old_and_new_checksums() -> None:
    disk = _disk({"heat.py": OLD, "old.py": OLD}, heat=_file(OLD), old=_file(OLD))
    made = plan([Rendered("heat.py", NEW), Rendered("new.py", NEW)], disk)
    assert manifest.parse(made.interim.decode()) == {
        "heat.py": {checksum(OLD.encode()), checksum(NEW.encode())},
        "new.py": {checksum(NEW.encode())},
        "old.py": {checksum(OLD.encode())},
    }


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (_file("my own list\n"), Reason.FOREIGN),
        (DiskEntry(EntryKind.FOLDER), Reason.FOREIGN),
        (DiskEntry(EntryKind.SYMLINK), Reason.SYMLINK),
    ],
)
def test_foreign_manifest_is_rejected(entry: DiskEntry, reason: Reason) -> None:
    made = plan([Rendered("heat.py", NEW)], Disk({}, entry), force=True)
    assert [(one.path, one.reason) for one in made.refusals] == [(manifest.NAME, reason)]


# --- messages


def _mixed() -> BuildPlan:
    return plan(
        [Rendered("edited.py", NEW), Rendered("new.py", NEW), Rendered("stale.py", NEW)],
        _disk(
            {"edited.py": OLD, "old.py": OLD, "stale.py": OLD},
            edited=_file(OLD + "y = 1\n"),
            old=_file(OLD),
            stale=_file(OLD),
        ),
    )


def test_findings_distinguish_the_kinds() -> None:
    found = outdated(_mixed(), "generated", "codegen build")
    assert [(one.source.path, one.code) for one in found] == [
        ("generated/.codegen-manifest", Code.STALE_OUTPUT),
        ("generated/edited.py", Code.EDITED_OUTPUT),
        ("generated/new.py", Code.MISSING_OUTPUT),
        ("generated/old.py", Code.ORPHANED_OUTPUT),
        ("generated/stale.py", Code.STALE_OUTPUT),
    ]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (_file("import os\n"), Code.FOREIGN_OUTPUT),
        (DiskEntry(EntryKind.OTHER, place="a"), Code.FOREIGN_OUTPUT),
        (DiskEntry(EntryKind.SYMLINK, place="a"), Code.LINKED_OUTPUT),
    ],
)
def test_other_refusals_name_the_obstacle(entry: DiskEntry, code: Code) -> None:
    made = plan([Rendered("a/heat.py", NEW)], Disk({"a/heat.py": entry}))
    (one,) = refused(made, "generated", "codegen build")
    assert one.code is code
    assert (f"`generated/{entry.place}`" if entry.place else "`generated/a/heat.py`") in one.message


def test_file_stale_only_by_line_endings_is_reported_as_such() -> None:
    crlf = _file(NEW.replace("\n", "\r\n"))
    made = plan([Rendered("heat.py", NEW)], _disk({"heat.py": NEW}, heat=crlf))
    (one,) = outdated(made, "generated", "codegen build")
    assert "CR LF" in one.message


def test_diff_is_unified_and_includes_refused_files() -> None:
    text = diff(_mixed(), "generated")
    heads = [line for line in text.splitlines() if line.startswith(("--- ", "+++ "))]
    assert heads == [
        "--- generated/edited.py",
        "+++ generated/edited.py",
        "--- /dev/null",
        "+++ generated/new.py",
        "--- generated/old.py",
        "+++ /dev/null",
        "--- generated/stale.py",
        "+++ generated/stale.py",
    ]
    assert "\n-y = 1\n" in text
    assert "\n-x = 1\n" in text
    assert "\n+x = 2\n" in text


def test_diff_contains_no_control_characters() -> None:
    disk = _disk(
        {"heat.py": NEW}, heat=DiskEntry(EntryKind.FILE, b"\x1b[31m\r\n\x85\xff\xe2\x80\xae")
    )
    text = diff(plan([Rendered("heat.py", NEW)], disk), "generated")
    assert "-\\x1b[31m\\r\n-\\x85\\xff\\u202e\n\\ No newline at end of file\n" in text
    assert all(character.isprintable() or character == "\n" for character in text)


# --- file systems where case does not count


@pytest.mark.parametrize(
    ("listed", "text"),
    [
        ({"Heat.py": OLD}, OLD),
        ({"Heat.py": NEW}, NEW),
        # The manifest of a build that was killed before the end.
        ({"Heat.py": OLD, "heat.py": NEW}, OLD),
        ({"Heat.py": OLD, "heat.py": NEW}, NEW),
    ],
)
def test_file_is_written_again_if_a_schema_is_renamed_in_case(
    listed: dict[str, str], text: str
) -> None:
    # Both names lead to one file, and removing the old name removes it.
    made = plan([Rendered("heat.py", NEW)], _disk(listed, Heat=_file(text), heat=_file(text)))
    assert not made.refusals
    steps = [(step.action, step.path) for step in made.steps]
    assert steps == [(Action.REMOVE, "Heat.py"), (Action.UPDATE, "heat.py")]


def test_edited_file_is_decided_on_once_if_its_schema_is_renamed_in_case() -> None:
    edited = _file("edited")
    disk = _disk({"Heat.py": OLD}, Heat=edited, heat=edited)
    (refusal,) = plan([Rendered("heat.py", NEW)], disk).refusals
    assert (refusal.reason, refusal.path) == (Reason.EDITED, "heat.py")
    forced = plan([Rendered("heat.py", NEW)], disk, force=True)
    assert [(step.action, step.path) for step in forced.steps] == [(Action.UPDATE, "heat.py")]
