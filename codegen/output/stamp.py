"""The record of the last build, which lets the next build see that there is nothing to do.

    key = key_of(found, ["exact"])
    count = up_to_date(place, key, out)   # 9: nothing to do; None: build
    remember(place, key, out)             # after a build

A record states that these schemas, with these options and this generator, gave that manifest. It is
not trusted about the output folder: all files there are read, and compared with the checksums in
the manifest. The record is in the user's cache folder. If it is missing, damaged or of another
version, the build only takes longer.

The sizes and times of its files identify the generator, not a version. So each edit takes effect
when you work on a template or have an editable installation.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from codegen import installation
from codegen.output import manifest
from codegen.output.manifest import checksum
from codegen.output.schemas import Schema
from codegen.output.system import regular
from codegen.output.write import overwrite

_FORMAT = "codegen record 1"
_BYTES_MAX = 1 << 10  # of a record; anything longer is not one


def place_of(root: str, out: str) -> str | None:
    """Return the path of the record of builds from `root` to `out`; None without a home folder."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):  # the XDG specification says to ignore a relative path
        home = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(home):
        return None
    pair = f"{os.path.realpath(root)}\0{os.path.realpath(out)}"
    return os.path.join(home, "pytree-codegen", checksum(os.fsencode(pair)))


def key_of(schemas: Sequence[Schema], options: Sequence[str]) -> str:
    """Return a checksum of all inputs of a build: the generator, these options, the schemas."""
    contents = (part for _, module, data in schemas for part in (module, data))
    return _digest(_FORMAT, *options, "", *_generator(), "", *contents)


def _digest(*parts: str | bytes) -> str:
    """Return a checksum of several parts, with their lengths, so that different lists differ."""
    encoded = [os.fsencode(part) if isinstance(part, str) else part for part in parts]
    return checksum(b"".join([b"%d:%b" % (len(data), data) for data in encoded]))


def up_to_date(place: str | None, key: str, out: str) -> int | None:
    """Return the number of files in `out` if all are up to date; None if not."""
    try:
        if place is None:
            return None
        recorded = regular(place, _BYTES_MAX)
        listed = regular(os.path.join(out, manifest.NAME), manifest.BYTES_MAX)
        if recorded != _text(key, listed):
            return None
        return _count_if_intact(manifest.parse(listed.decode()), out)
    except (OSError, UnicodeDecodeError):
        return None


def _count_if_intact(listing: manifest.Listing, out: str) -> int | None:
    real_out = os.path.realpath(out)
    for folder in {os.path.dirname(path) for path in listing}:
        if os.path.realpath(os.path.join(out, folder)) != os.path.normpath(
            os.path.join(real_out, folder)
        ):
            return None  # reached through a symbolic link
    for path, sums in listing.items():
        if sums != frozenset({checksum(regular(os.path.join(out, path)))}):
            return None
    return len(listing)


def remember(place: str | None, key: str, out: str) -> None:
    """Record that the build with this key wrote the current content of `out`."""
    if place is not None:
        with suppress(OSError):  # a build works without a record
            data = _text(key, regular(os.path.join(out, manifest.NAME)))
            folder = os.path.dirname(place)
            # `makedirs` sets the mode only of the last folder.
            for one in (os.path.dirname(folder), folder):
                os.makedirs(one, mode=0o700, exist_ok=True)
            # As CPython does for bytecode: whatever the umask, only the owner may write it.
            overwrite(place, data, mode=0o600)


def _text(key: str, listed: bytes) -> bytes:
    return f"{_FORMAT}\n{key}\n{checksum(listed)}\n".encode()


def forget(place: str | None) -> None:
    """Delete the record before a build writes: if the build is killed, it would be wrong."""
    if place is not None:
        with suppress(OSError):
            os.unlink(place)


def _generator() -> Iterator[str]:
    """Yield texts that identify this state of the generator."""
    for place in installation.places():
        yield from _stamps(place) if os.path.isdir(place) else (_stamp(place, os.stat(place)),)


def _stamps(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _stamps(entry.path)
        elif entry.name.endswith((".py", ".jinja")):
            yield _stamp(entry.path, entry.stat())


def _stamp(path: str, about: os.stat_result) -> str:
    return f"{path} {about.st_size} {about.st_mtime_ns} {about.st_ctime_ns}"
