"""Time the same work in many libraries, in turns, and keep the shortest time of each.

    minima({"codegen": work, "equinox.Module": other}, repeats=50)    ->    {"codegen": 1.2e-6, ...}

What disturbs a run only ever makes it slower, so that the least of many, taken in turns, is the
time of the work alone.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

# A run lasts at least so long, for the clock's sake. [s]
_RUN_MIN = 2e-4


def minima(works: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """The seconds that each piece of work takes at least, once it is warm."""
    counts = {name: _count(work) for name, work in works.items()}
    best = dict.fromkeys(works, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, work in works.items():
                best[name] = min(best[name], _timed(work, counts[name]))
    finally:
        gc.enable()
    return best


def _timed(work: Callable[[], Any], count: int) -> float:
    times = range(count)
    started = perf_counter()
    for _ in times:
        work()
    return (perf_counter() - started) / count


def _count(work: Callable[[], Any]) -> int:
    work()
    work()
    return max(1, int(_RUN_MIN / max(_timed(work, 3), 1e-8)))
