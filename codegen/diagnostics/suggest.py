"""Suggest the name that was probably meant.

suggest("statik", ["static", "dynamic", "donated"])   # "static"
suggest("frobnicate", ["static"])                     # None
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache

# With more candidates than this, only names one edit away are found. So a schema with a thousand
# classes and a thousand mistakes is still fast.
_COMPARED_MAX = 200
_LENGTH_MAX = 100  # of a name for that search: it has as many forms as characters


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the nearest candidate, None if none is near. The order does not matter."""
    ordered = tuple(sorted(set(candidates) - {name}))
    for candidate in ordered:
        if candidate.casefold() == name.casefold():
            return candidate
    if len(ordered) <= _COMPARED_MAX:
        return next(iter(get_close_matches(name, ordered, n=1)), None)
    index = _index(ordered)
    return next((index[form] for form in _shortened(name) if form in index), None)


def did_you_mean(name: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """Return help for an unknown name: "did you mean `static`?", or `otherwise` if none is near."""
    nearest = suggest(name, candidates)
    return otherwise if nearest is None else f"did you mean `{nearest}`?"


def nearest(name: str, known: Collection[str]) -> str:
    """Return the same help, or a list of all known names: "write one of static, dynamic"."""
    return did_you_mean(name, known, f"write one of {', '.join(known)}")


@lru_cache(maxsize=8)
def _index(ordered: tuple[str, ...]) -> dict[str, str]:
    """Map each form to its first candidate. Two names one edit apart have a form in common."""
    index: dict[str, str] = {}
    for candidate in ordered:
        for form in _shortened(candidate):
            index.setdefault(form, candidate)
    return index


def _shortened(name: str) -> Iterator[str]:
    """Yield the forms of a name: the name, and the name without each one of its characters."""
    yield name
    for at in range(len(name) if len(name) <= _LENGTH_MAX else 0):
        yield name[:at] + name[at + 1 :]
