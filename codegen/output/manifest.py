"""The list of the files that codegen wrote to an output folder.

    # The files that codegen wrote into this folder, and their checksums. DO NOT EDIT.
    1de70bc15d424d4453e6c531451e490b  heat.py
    cae66941d9efbd404e4d88758ea67670  py.typed

There is one line for each file, sorted by path. Git merges it with `merge=union`, which keeps the
lines of both branches: a path may then be listed with several checksums. Other lines, such as the
markers of a conflict, are ignored, and so are paths that no build writes.

The listed paths show which command wrote the folder: see `contents`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from hashlib import blake2b
from typing import Literal, TypeAlias

from codegen.options import FOLDERS_MAX


def checksum(data: bytes) -> str:
    """Return the checksum of `data`."""
    return blake2b(data, digest_size=16).hexdigest()


Listing: TypeAlias = Mapping[str, AbstractSet[str]]
"""The sums that a manifest has for each path."""
Content: TypeAlias = Literal["package", "site"]
"""The content of a folder: written by `codegen build` or `codegen docs`."""

NAME = ".codegen-manifest"
FIRST_LINE = "# The files that codegen wrote into this folder, and their checksums. DO NOT EDIT."

# Files that only one kind of folder has. No schema becomes `_runtime`, `py.typed` or `style.css`.
# A package has its support package or, if that is installed instead, `py.typed`.
_MARKS: Mapping[str, Content] = {
    "_runtime/__init__.py": "package",
    "py.typed": "package",
    "style.css": "site",
}

BYTES_MAX = 1 << 22
"""More than any build writes: some hundred thousand files."""

_LINE = re.compile(r"([0-9a-f]{32})  (.*?)\r?")
_OF_SITE = ("index.html", "search.js", "style.css")
"""The files of a site, besides the pages of modules."""


def can_be_made(path: str, content: Content | None = None) -> bool:
    """Return whether a command can write this path in a folder of this content, or of any.

    No other path is ever removed, even if the manifest lists it: a stranger may have written it.
    """
    *folders, name = path.split("/")
    stem, _, suffix = name.rpartition(".")
    is_module = suffix == "py" or name == "py.typed"
    is_page = path in _OF_SITE or (suffix == "html" and folders[:1] == ["modules"])
    if (is_module and content != "site") or (is_page and content in ("site", None)):
        # Pages are one level deeper, in the folder `modules`.
        is_deep = len(folders) > FOLDERS_MAX + 1
        return not is_deep and all(part.isidentifier() for part in (*folders, stem))
    return False


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


def contents(listing: Listing) -> tuple[Content, ...]:
    """Return what a folder with this listing holds; empty if that is unknown."""
    return tuple(dict.fromkeys(_MARKS[path] for path in _MARKS if path in listing))


def entries_of(listing: Listing) -> list[tuple[str, str]]:
    """Return the pairs of path and checksum in a listing, as `write` takes them."""
    return [(path, listed_sum) for path, sums in listing.items() for listed_sum in sums]
