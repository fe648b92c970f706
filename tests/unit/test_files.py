"""Reading and writing files: the state after a build, also after an interrupted one."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import threading
from pathlib import Path

import pytest

from codegen.diagnostics import Code
from codegen.emit.rendered import Rendered, with_header
from codegen.options import SCHEMA_BYTES_MAX
from codegen.output import lock, manifest, stamp, write
from codegen.output.lock import locked
from codegen.output.manifest import checksum
from codegen.output.plan import EntryKind, Reason, plan
from codegen.output.schemas import Schema, misnamed, schemas
from codegen.output.snapshot import snapshot
from codegen.output.write import apply

CHECKOUT = Path(__file__).parents[2]

FIRST = {
    "same.py": with_header("same\n"),
    "stale.py": with_header("old\n"),
    "a/orphan.py": with_header("orphan\n"),
    "py.typed": "",
}
SECOND = {
    "same.py": with_header("same\n"),
    "stale.py": with_header("new\n"),
    "b/c/created.py": with_header("created\n"),
    "py.typed": "",
}


def _build(out: Path, texts: dict[str, str], *, force: bool = False) -> list[Reason]:
    """Write the output like `codegen build`; return the reason if nothing was done."""
    rendered = [Rendered(path, text) for path, text in texts.items()]
    with locked(str(out), print):
        write.clear_temporary_files(str(out))
        made = plan(rendered, snapshot(str(out), texts), force=force)
        if not made.refusals:
            apply(made, str(out))
    return [one.reason for one in made.refusals]


def _tree(folder: Path) -> dict[str, str]:
    """Return all files below a folder except the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != manifest.NAME
    }


def _manifest_entries(folder: Path) -> dict[str, str]:
    listing = manifest.parse((folder / manifest.NAME).read_text())
    return {path: next(iter(sums)) for path, sums in listing.items() if len(sums) == 1}


def _is_finished(folder: Path, texts: dict[str, str]) -> bool:
    sums = {path: checksum(text.encode()) for path, text in texts.items()}
    return _tree(folder) == texts and _manifest_entries(folder) == sums


# --- building


def test_file_modes_respect_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        _build(tmp_path / "out", FIRST)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out" / "same.py").stat().st_mode) == 0o640


def test_snapshot_contains_obstacles(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    disk = snapshot(str(tmp_path), ["file/x.py", "folder.py", "pipe.py", "no/x.py", "../x.py"])
    found = {path: (entry.kind, entry.place) for path, entry in disk.entries.items()}
    assert found == {
        "file/x.py": (EntryKind.OTHER, "file"),
        "folder.py": (EntryKind.FOLDER, ""),
        "no/x.py": (EntryKind.MISSING, "no"),
        "pipe.py": (EntryKind.OTHER, ""),
    }


# --- interrupted builds


def test_interrupt_after_a_file_was_created_removes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the build did not know of the file yet, so it stayed until the next build."""
    opened = os.open

    def interrupted(path: str, *how: int) -> int:
        descriptor = opened(path, *how)
        if path.endswith(".codegen-tmp"):
            os.close(descriptor)
            raise KeyboardInterrupt
        return descriptor

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", interrupted)
        with pytest.raises(KeyboardInterrupt):
            _build(tmp_path / "out", FIRST)
    assert not (tmp_path / "out").exists()
    _build(tmp_path / "out", FIRST)
    assert _is_finished(tmp_path / "out", FIRST)


def test_only_real_leftovers_are_removed(tmp_path: Path) -> None:
    ours = tmp_path / "new" / ".0123456789abcdef.codegen-tmp"
    others = [
        tmp_path / "mine.codegen-tmp",
        tmp_path / ".0123.codegen-tmp",
        tmp_path / ".git" / ".0123456789abcdef.codegen-tmp",
    ]
    for path in (ours, *others):
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    (tmp_path / ".0123456789abcdee.codegen-tmp").symlink_to(others[0])
    _build(tmp_path, FIRST)
    assert not ours.parent.exists()
    assert all(path.exists() for path in others)
    assert (tmp_path / ".0123456789abcdee.codegen-tmp").is_symlink()


# --- the lock


def test_concurrent_builds_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "_TRIES", 2)
    out = tmp_path / "out"
    order: list[object] = []
    is_waiting = threading.Event()

    def say(line: str) -> None:
        order.append(line)
        is_waiting.set()

    def second() -> None:
        with locked(str(out), say) as is_held:
            order.append(("second", is_held))

    thread = threading.Thread(target=second)
    with locked(str(out), say) as is_held:
        (out / "kept").write_text("")
        thread.start()
        assert is_waiting.wait(60)
        order.append(("first", is_held))
    thread.join()
    said = f"another build of `{out}` is running: waiting until it ends"
    assert order == [said, ("first", True), ("second", True)]


def test_build_continues_if_the_file_system_has_no_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NFS, for one."""

    def refuse(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with locked(str(tmp_path / "out"), pytest.fail) as is_held:
        (tmp_path / "out/kept").write_text("")
    assert not is_held
    assert (tmp_path / "out/kept").exists()


def test_build_continues_after_a_failed_build_removed_the_folder(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"

    def second() -> None:
        _build(out, FIRST)

    thread = threading.Thread(target=second)
    with locked(str(out), print):
        thread.start()
        thread.join(0.1)
    thread.join()
    assert _is_finished(out, FIRST)


def test_a_build_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), locked(str(tmp_path / "deep" / "out"), print):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


# --- finding schemas


def _write(folder: Path, *paths: str) -> list[Schema]:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)
    return schemas(str(folder))


def test_schemas_are_found_sorted_with_their_modules(tmp_path: Path) -> None:
    root = tmp_path / "schemas"
    found = _write(root, "b.pyi", "a/z.pyi", "a/b/c.pyi", "a.txt", ".git/x.pyi", ".#b.pyi")
    assert found == [
        (f"{root}/a/b/c.pyi", "a.b.c", b"a/b/c.pyi"),
        (f"{root}/a/z.pyi", "a.z", b"a/z.pyi"),
        (f"{root}/b.pyi", "b", b"b.pyi"),
    ]


def test_links_are_followed_only_to_files_below_the_root(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "schemas", tmp_path / "elsewhere"
    _write(root, "a.pyi")
    _write(elsewhere, "b.pyi")
    (root / "alias.pyi").symlink_to(root / "a.pyi")
    assert [module for _, module, _ in schemas(str(root))] == ["a", "alias"]
    (root / "b.pyi").symlink_to(elsewhere / "b.pyi")
    with pytest.raises(OSError, match="out of the schema folder"):
        schemas(str(root))


def test_too_large_file_is_not_read_completely(tmp_path: Path) -> None:
    (tmp_path / "a.pyi").write_bytes(b"#" * (SCHEMA_BYTES_MAX + 1000))
    ((_, _, data),) = schemas(str(tmp_path))
    assert len(data) == SCHEMA_BYTES_MAX + 1


# --- names of files


def test_decomposed_name_is_reported_with_escapes() -> None:
    composed, apart = "caf\u00e9.pyi", "cafe\u0301.pyi"
    found = misnamed([(f"schemas/{path}", "", b"") for path in (apart, composed)], "schemas")
    assert {(one.code, one.message) for one in found} == {
        (
            Code.BAD_FILE_NAME,
            r"`cafe\u0301` contains characters that Python normalises: it reads `caf\xe9`",
        ),
        (
            Code.CASE_COLLISION,
            r"`cafe\u0301.pyi` and `caf\xe9.pyi` are the same name in Python, because Python normalises "
            "identifiers",
        ),
    }
    (case,) = misnamed(
        [(f"schemas/{path}", "", b"") for path in (composed, "CAF\u00c9.pyi")], "schemas"
    )
    assert (
        case.message
        == "`CAF\u00c9.pyi` and `caf\u00e9.pyi` are the same name on case-insensitive file systems"
    )


# --- the stamp of the last build


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, Path]:
    """The path and key of a stamp, and its output folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    out = tmp_path / "out"
    _build(out, FIRST)
    place = stamp.place_of(str(tmp_path / "schemas"), str(out))
    assert place is not None
    key = stamp.key_of(_write(tmp_path / "schemas", "a.pyi"), ["exact"])
    stamp.remember(place, key, str(out))
    return place, key, out


def test_stamp_of_unchanged_output_is_valid(built: tuple[str, str, Path]) -> None:
    place, key, out = built
    assert stamp.up_to_date(place, key, str(out)) == len(FIRST)
    stamp.forget(place)
    assert stamp.up_to_date(place, key, str(out)) is None


def test_stamp_is_invalid_if_bytes_differ(built: tuple[str, str, Path]) -> None:
    place, key, out = built
    for name in (*FIRST, manifest.NAME):
        before = (out / name).read_bytes()
        for other in (before + b"x", before.replace(b"\n", b"\r\n") + b"\r\n"):
            (out / name).write_bytes(other)
            assert stamp.up_to_date(place, key, str(out)) is None
        (out / name).unlink()
        assert stamp.up_to_date(place, key, str(out)) is None
        (out / name).write_bytes(before)
    assert stamp.up_to_date(place, key, str(out)) == len(FIRST)


def test_stamp_is_invalid_for_files_behind_a_link(
    built: tuple[str, str, Path], tmp_path: Path
) -> None:
    place, key, out = built
    (out / "a").rename(tmp_path / "a")
    (out / "a").symlink_to(tmp_path / "a")
    assert stamp.up_to_date(place, key, str(out)) is None


@pytest.mark.parametrize("data", [b"", b"\xff", b"codegen record 0\n", b"x" * 5000])
def test_damaged_stamp_is_ignored(built: tuple[str, str, Path], data: bytes) -> None:
    place, key, out = built
    Path(place).write_bytes(data)
    assert stamp.up_to_date(place, key, str(out)) is None


def test_stamp_key_depends_on_names_bytes_and_options() -> None:
    found = [("schemas/a.pyi", "a", b"x"), ("schemas/b.pyi", "b", b"y")]
    exact, jax = ["exact"], ["jax"]
    keys = {
        stamp.key_of(found, exact),
        stamp.key_of(found, jax),
        stamp.key_of(found[:1], exact),
        stamp.key_of([("schemas/a.pyi", "a", b"xb"), ("schemas/b.pyi", "", b"y")], exact),
        stamp.key_of([("schemas/a.pyi", "c", b"x"), found[1]], exact),
        stamp.key_of([("schemas/a.pyi", "a", b"z"), found[1]], exact),
    }
    assert len(keys) == 6
    elsewhere = [(f"/elsewhere/{path}", module, data) for path, module, data in found]
    assert stamp.key_of(elsewhere, exact) in keys


def test_stamp_key_depends_on_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__pycache__").mkdir()
    template = tmp_path / "module.py.jinja"
    template.write_text("x")
    monkeypatch.setattr("codegen.installation.places", lambda: [str(tmp_path)])
    keys = [stamp.key_of([], [])]
    (tmp_path / "__pycache__" / "x.pyc").write_text("")
    assert stamp.key_of([], []) == keys[0]
    for text in ("y", "z"):
        template.write_text(text)
        os.utime(template, ns=(0, 1_000_000_000 * len(keys)))
        keys.append(stamp.key_of([], []))
    assert len(set(keys)) == 3


def test_unwritable_cache_folder_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    _build(tmp_path / "out", FIRST)
    place = stamp.place_of("schemas", "out")
    stamp.remember(place, "key", str(tmp_path / "out"))
    stamp.forget(place)
    assert stamp.up_to_date(place, "key", str(tmp_path / "out")) is None
    assert stamp.up_to_date(None, "key", str(tmp_path / "out")) is None


def test_failed_replacement_of_a_cache_file_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "cache" / "place" / "in").mkdir(parents=True)
    with pytest.raises(OSError, match="place"):
        write.overwrite(str(tmp_path / "cache" / "place"), b"x")
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["place"]


def test_cache_is_not_writable_by_other_users(tmp_path: Path) -> None:
    _build(tmp_path / "out", FIRST)
    before = os.umask(0)
    try:
        stamp.remember(str(tmp_path / "cache/codegen/place"), "key", str(tmp_path / "out"))
    finally:
        os.umask(before)
    assert (tmp_path / "cache/codegen/place").is_file()
    for path in (tmp_path / "cache", *(tmp_path / "cache").rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path
