"""The name that was probably meant.

suggest("statik", ["static", "dynamic", "donated"])   # "static"
suggest("frobnicate", ["static"])                     # None
"""

from __future__ import annotations

from collections.abc import Iterable


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest of the candidates, None where none is near; the same whatever their order."""
    # Only a mistake needs it, and a build without one should not wait for it.
    from difflib import get_close_matches  # noqa: PLC0415

    ordered = sorted(set(candidates) - {name})
    for candidate in ordered:
        if candidate.casefold() == name.casefold():
            return candidate
    return next(iter(get_close_matches(name, ordered, n=1)), None)


def did_you_mean(name: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """The help of a diagnostic about an unknown name. Example: "did you mean `static`?"."""
    nearest = suggest(name, candidates)
    return otherwise if nearest is None else f"did you mean `{nearest}`?"
