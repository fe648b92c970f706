"""A progress bar on the terminal, for builds that last.

with shown(sys.stderr):
    ...  # whoever counts `steps` moves the bar; before a second has passed there is none
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
_PAUSE_S = 0.1  # between two pictures


@contextmanager
def shown(stream: TextIO, clock: Callable[[], float] = monotonic) -> Generator[None, None, None]:
    """Show a bar on `stream`, a terminal, while a job takes its steps.

    The bar is gone when the job is done: what stays on the terminal is what was said.
    """
    bar = _Bar(stream, clock)
    try:
        with listening(bar.step):
            yield
    finally:
        bar.end()


class _Bar:
    def __init__(self, stream: TextIO, clock: Callable[[], float]) -> None:
        self._stream = stream
        self._clock = clock
        self._next_s = clock() + _DELAY_S
        self._progress: Progress | None = None

    def step(self, what: str, done: int, total: int) -> None:
        """Move the bar, and draw it where it is late enough."""
        now_s = self._clock()
        if now_s < self._next_s:
            return
        self._next_s = now_s + _PAUSE_S
        if self._progress is None:
            self._progress = self._draw()
        (task,) = self._progress.task_ids
        self._progress.update(task, description=what, completed=done, total=total, refresh=True)

    def _draw(self) -> Progress:
        # No thread that draws: a build does not fork with one.
        console = Console(file=self._stream)
        progress = Progress(console=console, transient=True, auto_refresh=False)
        progress.add_task("")
        progress.start()
        return progress

    def end(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()
