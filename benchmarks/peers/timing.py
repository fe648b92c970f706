"""Time the same work in many libraries, alternately, and keep the minimum time of each.

    minima({"codegen": work, "equinox.Module": other}, repeats=50)    ->    {"codegen": 1.2e-6, ...}

Disturbances only make a run slower. The minimum of many alternating runs is therefore the time of the undisturbed
work.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

# Minimum duration of a run: in runs of 0.2 ms, the donated step varied by a factor of two. [s]
_RUN_MIN = 2e-3
# A row of slow work ends after this time, but not before it ran this often. [s]
_ROW_MAX = 40.0
_REPEATS_MIN = 10


def minima(works: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the minimum seconds of each piece of work after a warm-up."""
    counts = {name: _count(work) for name, work in works.items()}
    latest = perf_counter() + _ROW_MAX
    best = dict.fromkeys(works, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for repeat in range(repeats):
            if repeat >= _REPEATS_MIN and perf_counter() > latest:
                break
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
