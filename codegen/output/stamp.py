"""Remember what the last build made of which schemas, so that the next may find nothing to do.

    key = key_of(found, seed_of(["exact"]))
    count = up_to_date(place, key, out)   # 9: nothing to do; None: build
    remember(place, key, out)             # after a build

A record says: these schemas, with these options and this generator, gave that manifest. It is
never believed about the output folder, whose files are all read and compared, byte by byte, with
the sums in that manifest. It lies in the user's cache folder; one that is missing, damaged or of
another version only means that the build goes the long way.

The generator is known by size and times of its files, not by a version: who works on a template
or has the project installed in place sees each edit take effect.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from codegen import installation
from codegen.output import manifest
from codegen.output.manifest import checksum
from codegen.output.schemas import Schema
from codegen.output.system import native, regular
from codegen.output.write import overwrite

_FORMAT = "codegen record 1"
_BYTES_MAX = 1 << 10  # of a record; what is longer is none


def place_of(root: str, out: str) -> str | None:
    """Where the record of builds from `root` to `out` lies; None where there is no home."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):  # what the XDG specification says of a relative one
        home = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(home):
        return None
    pair = f"{os.path.realpath(root)}\0{os.path.realpath(out)}"
    return os.path.join(home, "pytree-codegen", checksum(os.fsencode(pair)))


def seed_of(options: Sequence[str]) -> str:
    """A checksum of all that a build depends on besides its schemas: the generator, these options."""
    return digest(_FORMAT, *options, "", *_generator())


def key_of(found: Sequence[Schema], seed: str) -> str:
    """A checksum of all that a build depends on: what the seed is of, and the schemas."""
    return digest(seed, *(part for _, module, data in found for part in (module, data)))


def digest(*parts: str | bytes) -> str:
    """A checksum of several parts. It includes their lengths, so no two lists of parts look alike."""
    encoded = [os.fsencode(part) if isinstance(part, str) else part for part in parts]
    return checksum(b"".join([b"%d:%b" % (len(data), data) for data in encoded]))


def up_to_date(place: str | None, key: str, out: str) -> int | None:
    """How many files there are in `out`, if each is what a build would write; None if not."""
    try:
        if place is None:
            return None
        recorded = regular(place, _BYTES_MAX)
        listed = regular(os.path.join(out, manifest.NAME), manifest.BYTES_MAX)
        if recorded != _text(key, listed):
            return None
        return _count_if_intact(manifest.read(listed.decode()), out)
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
        if sums != frozenset({checksum(regular(native(out, path)))}):
            return None
    return len(listing)


def remember(place: str | None, key: str, out: str) -> None:
    """Record that the build with this key made what lies in `out` now."""
    if place is not None:
        with suppress(OSError):
            keep(place, _text(key, regular(os.path.join(out, manifest.NAME))))


def keep(place: str, data: bytes) -> None:
    """Write a file in the cache folder; a build that cannot do that is no reason to fail."""
    with suppress(OSError):
        folder = os.path.dirname(place)
        for one in (os.path.dirname(folder), folder):  # the mode is that of the last one alone
            os.makedirs(one, mode=0o700, exist_ok=True)
        # As CPython keeps bytecode: whatever the umask, nobody else may write it.
        overwrite(place, data, mode=0o600)


def _text(key: str, listed: bytes) -> bytes:
    return f"{_FORMAT}\n{key}\n{checksum(listed)}\n".encode()


def forget(place: str | None) -> None:
    """Take the record back, before a build writes: one that is killed has made nothing sure."""
    if place is not None:
        with suppress(OSError):
            os.unlink(place)


def _generator() -> Iterator[str]:
    """What tells this state of the generator from any other."""
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
