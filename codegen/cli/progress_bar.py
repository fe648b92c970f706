"""A progress bar on the terminal, for builds that last.

with shown(sys.stderr):
    ...  # whoever counts `steps` moves the bar; before a second has passed there is none
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from codegen.progress import listening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.progress import Progress

_DELAY_S = 1.0


@contextmanager
def shown(stream: TextIO, clock: Callable[[], float] = monotonic) -> Generator[None, None, None]:
    """Show a bar on `stream` while a job takes its steps, if that is a terminal.

    The bar is gone when the job is done: what stays on the terminal is what was said.
    """
    if not stream.isatty():
        yield
        return
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
        self._started_s = clock()
        self._progress: Progress | None = None

    def step(self, what: str, done: int, total: int) -> None:
        """Move the bar; the first time that it is late enough, draw it."""
        if self._progress is None:
            if self._clock() - self._started_s < _DELAY_S:
                return
            self._progress = self._draw()
        (task,) = self._progress.task_ids
        self._progress.update(task, description=what, completed=done, total=total)

    def _draw(self) -> Progress:
        # Most builds are done before it would be loaded.
        from rich.console import Console
        from rich.progress import Progress

        progress = Progress(console=Console(file=self._stream), transient=True)
        progress.add_task("")
        progress.start()
        return progress

    def end(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()
