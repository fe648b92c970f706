"""The name that was probably meant.

suggest("statik", ["static", "dynamic", "donated"])   # "static"
suggest("frobnicate", ["static"])                     # None
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache

# With more candidates than these only those one edit away are looked for: a schema with a thousand
# classes and a thousand mistakes is answered at once.
_COMPARED_MAX = 200
_LENGTH_MAX = 100  # of a name that is looked for so: it has as many forms as characters


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest of the candidates, None where none is near; the same whatever their order."""
    ordered = tuple(sorted(set(candidates) - {name}))
    for candidate in ordered:
        if candidate.casefold() == name.casefold():
            return candidate
    if len(ordered) <= _COMPARED_MAX:
        return next(iter(get_close_matches(name, ordered, n=1)), None)
    index = _index(ordered)
    return next((index[form] for form in _shortened(name) if form in index), None)


def did_you_mean(name: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """The help of a diagnostic about an unknown name. Example: "did you mean `static`?"."""
    nearest = suggest(name, candidates)
    return otherwise if nearest is None else f"did you mean `{nearest}`?"


def nearest(name: str, known: Collection[str]) -> str:
    """The same, where all that are known can be listed. Example: "there are static, dynamic"."""
    return did_you_mean(name, known, f"there are {', '.join(known)}")


@lru_cache(maxsize=8)
def _index(ordered: tuple[str, ...]) -> dict[str, str]:
    """The first candidate of each form: two names one edit apart have a form in common."""
    index: dict[str, str] = {}
    for candidate in ordered:
        for form in _shortened(candidate):
            index.setdefault(form, candidate)
    return index


def _shortened(name: str) -> Iterator[str]:
    """Yield the name, and what is left of it without one of its characters."""
    yield name
    for at in range(len(name) if len(name) <= _LENGTH_MAX else 0):
        yield name[:at] + name[at + 1 :]
