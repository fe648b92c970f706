"""The list of the files in an output folder that are ours.

    # The files that codegen wrote into this folder, and their checksums. DO NOT EDIT.
    1de70bc15d424d4453e6c531451e490b  heat.py
    cae66941d9efbd404e4d88758ea67670  py.typed

One line a file, sorted by path, so that two branches seldom meet in one line and a merge that
keeps both sides is a manifest too: a path may stand there with several sums, each of which is
taken for ours. Lines of another form, such as the markers of a conflict, name nothing.

What it lists says which command wrote it: see `contents`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # a build that finds nothing to do loads little
    from collections.abc import Iterable, Mapping
    from typing import Literal, TypeAlias

    Listing: TypeAlias = Mapping[str, frozenset[str]]
    """The sums that a manifest has for each path."""
    Content: TypeAlias = Literal["package", "laws", "site"]
    """What a folder holds: of `codegen build`, of its `--laws`, of `codegen docs`."""

NAME = ".codegen-manifest"
FIRST_LINE = "# The files that codegen wrote into this folder, and their checksums. DO NOT EDIT."

# One file that each of them always has, and no other can: no schema's name has such a first sign.
_MARKS: Mapping[str, Content] = {
    "_runtime/__init__.py": "package",
    "_laws/__init__.py": "laws",
    "style.css": "site",
}

# No regular expressions: to load them takes a tenth of a build that finds nothing to do.
_DIGITS = frozenset("0123456789abcdef")
_SUM_DIGITS = 32
# Separators of any system, and characters that could end a line of the manifest.
_REFUSED = frozenset("/\\:\x7f\x85\u2028\u2029").union(map(chr, range(0x20)))


def is_inside(path: str) -> bool:
    """Whether `path` is relative, stays in its folder and is no name that codegen reserves."""
    parts = path.split("/")
    return path != NAME and all(
        part not in ("", ".", "..") and _REFUSED.isdisjoint(part) for part in parts
    )


def read(text: str) -> Listing:
    """Take the listing out of a manifest, or out of what a merge left of one."""
    listing: dict[str, frozenset[str]] = {}
    for line in text.split("\n"):
        listed_sum, _, path = line.removesuffix("\r").partition("  ")
        if len(listed_sum) == _SUM_DIGITS and _DIGITS.issuperset(listed_sum) and is_inside(path):
            listing[path] = listing.get(path, frozenset()) | {listed_sum}
    return listing


def write(entries: Iterable[tuple[str, str]]) -> str:
    """The text of a manifest with these pairs of path and sum."""
    lines = [f"{listed_sum}  {path}\n" for path, listed_sum in sorted(set(entries))]
    return f"{FIRST_LINE}\n{''.join(lines)}"


def contents(listing: Listing) -> tuple[Content, ...]:
    """What a folder with this listing holds; nothing, where that cannot be told."""
    return tuple(content for path, content in _MARKS.items() if path in listing)


def entries_of(listing: Listing) -> list[tuple[str, str]]:
    """The pairs of path and sum in a listing, as `write` takes them."""
    return [(path, listed_sum) for path, sums in listing.items() for listed_sum in sums]
