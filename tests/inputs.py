"""Try many inputs in one test, and report every input that failed.

@over(PLACES, PAYLOADS)
def test_texts_stay_texts(place: str, text: str, site: Path) -> None: ...

@settings(max_examples=examples(25))    # 250 with EXAMPLES_FACTOR=10
"""

from __future__ import annotations

import inspect
import itertools
import os
from collections.abc import Callable, Iterable

import pytest

_FAILURES = (Exception, pytest.fail.Exception)
_FACTOR = int(os.environ.get("EXAMPLES_FACTOR", "1"))


Test = Callable[..., None]


def examples(count: int) -> int:
    """Return the number of inputs of a test, multiplied by `EXAMPLES_FACTOR`."""
    return count * _FACTOR


def over(*inputs: Iterable[object]) -> Callable[[Test], Test]:
    """Call a test with every combination of its first arguments. The others are fixtures.

    All combinations use the same fixtures, which are torn down after the last one.
    """
    return over_rows(itertools.product(*inputs))


def over_rows(rows: Iterable[tuple[object, ...]]) -> Callable[[Test], Test]:
    """Call a test once for each row of first arguments."""
    combinations = list(rows)
    assert combinations, "no input is no test"

    def decorate(check: Test) -> Test:
        def tried(**fixtures: object) -> None:
            failed: list[tuple[str, BaseException]] = []
            for given in combinations:
                try:
                    check(*given, **fixtures)
                except _FAILURES as error:
                    failed.append((_short_text(given), error))
            if failed:
                lines = [f"{one}: {type(e).__name__}: {e}" for one, e in failed]
                message = "\n".join([f"{len(failed)} of {len(combinations)} inputs fail:", *lines])
                raise AssertionError(message) from failed[0][1]

        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(tried, name, getattr(check, name))
        signature = inspect.signature(check)
        fixtures = [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for one in list(signature.parameters.values())[len(combinations[0]) :]
        ]
        tried.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return tried

    return decorate


def _short_text(given: tuple[object, ...]) -> str:
    """Return a short printable text of an input. Some are megabytes, and some are invisible."""
    return ", ".join(ascii(one)[:200] for one in given)
