"""A progress bar on the terminal, for long builds.

with shown(sys.stderr):
    ...  # each of `steps` moves the bar, which appears after a second
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from rich.console import Console
from rich.progress import Progress

from codegen.progress import listening

_DELAY_S = 1.0
_PAUSE_S = 0.1  # between two updates of the bar


@contextmanager
def shown(stream: TextIO, clock: Callable[[], float] = monotonic) -> Generator[None, None, None]:
    """Show a bar on `stream`, a terminal, while a job takes its steps.

    The bar disappears when the job is done, and only messages stay on the terminal.
    """
    bar = Progress(console=Console(file=stream), transient=True, auto_refresh=False)
    task = bar.add_task("")
    next_s = clock() + _DELAY_S

    def step(what: str, done: int, total: int) -> None:
        """Move the bar, and redraw it if enough time has passed."""
        nonlocal next_s
        now_s = clock()
        if now_s >= next_s:
            next_s = now_s + _PAUSE_S
            bar.start()
            bar.update(task, description=what, completed=done, total=total, refresh=True)

    try:
        with listening(step):
            yield
    finally:
        if bar.live.is_started:
            bar.stop()
