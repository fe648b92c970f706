"""The list of the files that codegen wrote to an output folder.

    # The files that codegen wrote into this folder, and their checksums. DO NOT EDIT.
    1de70bc15d424d4453e6c531451e490b  heat.py
    cae66941d9efbd404e4d88758ea67670  py.typed

There is one line for each file, sorted by path. Git merges it with `merge=union`, which keeps the
lines of both branches: a path may then be listed with several checksums. Other lines, such as the
markers of a conflict, are ignored, and so are paths that no build writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from hashlib import blake2b
from typing import TypeAlias

from codegen.options import FOLDERS_MAX


def checksum(data: bytes) -> str:
    """Return the checksum of `data`."""
    return blake2b(data, digest_size=16).hexdigest()


Listing: TypeAlias = Mapping[str, AbstractSet[str]]
"""The sums that a manifest has for each path."""

NAME = ".codegen-manifest"
FIRST_LINE = "# The files that codegen wrote into this folder, and their checksums. DO NOT EDIT."

BYTES_MAX = 1 << 22
"""More than any build writes: some hundred thousand files."""

_LINE = re.compile(r"([0-9a-f]{32})  (.*?)\r?")


def can_be_made(path: str) -> bool:
    """Return whether a build can write this path in an output folder.

    No other path is ever removed, even if the manifest lists it: a stranger may have written it.
    """
    *folders, name = path.split("/")
    stem, _, suffix = name.rpartition(".")
    if (suffix != "py" and name != "py.typed") or len(folders) > FOLDERS_MAX:
        return False
    return all(part.isidentifier() for part in (*folders, stem))


def parse(text: str) -> Listing:
    """Parse the listing of a manifest, even if a merge left conflict markers in it."""
    listing: dict[str, set[str]] = {}
    for line in text.split("\n"):
        match = _LINE.fullmatch(line)
        if match is not None and can_be_made(match[2]):
            listing.setdefault(match[2], set()).add(match[1])
    return listing


def write(entries: Iterable[tuple[str, str]]) -> str:
    """Return the text of a manifest with these pairs of path and checksum."""
    lines = [f"{listed_sum}  {path}\n" for path, listed_sum in sorted(set(entries))]
    return f"{FIRST_LINE}\n{''.join(lines)}"


def entries_of(listing: Listing) -> list[tuple[str, str]]:
    """Return the pairs of path and checksum in a listing, as `write` takes them."""
    return [(path, listed_sum) for path, sums in listing.items() for listed_sum in sums]
